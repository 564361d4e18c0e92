// The camera goes round what it looks at, slowly, until somebody touches the picture.
import type {Signal} from '@preact/signals';
import type {CameraRig} from './camera.js';

const ROUND_S = 40;
const TOUCHES = ['pointerdown', 'wheel', 'keydown'] as const;

export class Turntable {
  private readonly stop = () => (this.on.value = false);

  constructor(
    private readonly on: Signal<boolean>,
    private readonly rig: CameraRig,
    private readonly element: HTMLElement,
  ) {
    TOUCHES.forEach((type) => element.addEventListener(type, this.stop, {capture: true, passive: true}));
  }

  update(seconds: number): void {
    if (this.on.peek()) {
      this.rig.orbit((2 * Math.PI * seconds) / ROUND_S, 0);
    }
  }

  dispose(): void {
    TOUCHES.forEach((type) => this.element.removeEventListener(type, this.stop, {capture: true}));
  }
}
