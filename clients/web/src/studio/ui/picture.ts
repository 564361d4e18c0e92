// How the picture is drawn, as the person chose it, which is remembered.
import {effect, type Signal} from '@preact/signals';

import {BACKGROUNDS, LIGHTS, type ViewState} from '../model/viewstate.js';
import {remembered} from './memory.js';

export function followPicture({light, background}: ViewState): void {
  follow('light', light, LIGHTS);
  follow('background', background, BACKGROUNDS);
}

function follow<T extends string>(name: string, choice: Signal<T>, all: readonly T[]): void {
  const kept = remembered(name, choice.peek() as string);
  const known = all.find((one) => one === kept.peek());
  if (known !== undefined) choice.value = known;
  effect(() => {
    kept.value = choice.value;
  });
}
