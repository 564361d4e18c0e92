// Light or dark: as the system has it, or as the person chose, which is remembered. Styles go by data-theme of the
// root element; the scene and the plots by the model's signal.
import {effect} from '@preact/signals';

import type {ThemeChoice, ViewState} from '../model/viewstate.js';
import {remembered} from './memory.js';

const CHOICES: readonly string[] = ['system', 'light', 'dark'];

export function followTheme(view: ViewState): void {
  const kept = remembered('theme', 'system');
  if (CHOICES.includes(kept.value)) view.themeChoice.value = kept.value as ThemeChoice;
  const dark = matchMedia('(prefers-color-scheme: dark)');
  view.systemDark.value = dark.matches;
  dark.addEventListener('change', () => (view.systemDark.value = dark.matches));
  effect(() => {
    kept.value = view.themeChoice.value;
  });
  effect(() => {
    document.documentElement.dataset['theme'] = view.theme.value;
  });
}
