// Light or dark: as the system has it, or as the person chose, which is remembered. Styles go by data-theme of the
// root element; the scene and the plots by the model's signal. A page that embeds this one says which (?theme=dark), for that visit.
import {effect} from '@preact/signals';

import type {ThemeChoice, ViewState} from '../model/viewstate.js';
import {remembered} from './memory.js';

const CHOICES: readonly string[] = ['system', 'light', 'dark'];

export function followTheme(view: ViewState): void {
  const kept = remembered('theme', 'system');
  const asked = new URLSearchParams(location.search).get('theme') ?? '';
  const choice = CHOICES.includes(asked) ? asked : kept.value;
  if (CHOICES.includes(choice)) view.themeChoice.value = choice as ThemeChoice;
  const dark = matchMedia('(prefers-color-scheme: dark)');
  view.systemDark.value = dark.matches;
  dark.addEventListener('change', () => (view.systemDark.value = dark.matches));
  effect(() => {
    const chosen = view.themeChoice.value;
    if (chosen !== asked) kept.value = chosen;
  });
  effect(() => {
    document.documentElement.dataset['theme'] = view.theme.value;
  });
}
