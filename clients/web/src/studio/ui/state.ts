// What the panels remember among themselves: which are open, and what is being made. What the scene needs to know as
// well is in the model's ViewState.
import {signal, type Signal} from '@preact/signals';

import type {Act} from '../model/past/edits.js';
import type {FileMesh} from './files/read.js';
import type {Reading} from './files/reading.js';
import {remembered} from './memory.js';
import type {Sample} from './scenes/sample.js';

// One at a time above the page.
export type DialogName =
  | 'new'
  | 'import'
  | 'keys'
  | 'world'
  | 'link'
  | 'invite'
  | 'branch'
  | 'samples'
  | 'export'
  | 'connect'
  | 'help'
  | 'palette';
// What the button at the top opens; each has its own place beside the button.
export type MenuName = 'worlds' | 'people' | 'view' | 'more' | 'rate' | 'edits' | 'beside';
// On a telephone a panel is a sheet, and there is one at a time.
export type SheetName = 'outline' | 'inspector' | 'plots' | 'statistics';

// A branch that is being named: of which tick (null: the last), and without which act, if without any.
export interface BranchAsked {
  readonly tick: number | null;
  readonly act: Act | null;
}

function howEmbedded(): UiState['embedded'] {
  const asked = new URLSearchParams(location.search).get('embedded');
  return asked === null ? 'no' : asked === 'edit' ? 'edit' : 'pull';
}

export class UiState {
  readonly outline: Signal<boolean> = remembered('outline', false);
  // Whether the world's own settings are shown where nothing is selected.
  readonly settings: Signal<boolean> = signal(false);
  readonly plots: Signal<boolean> = remembered('plots', false);
  readonly statistics: Signal<boolean> = remembered('statistics', false);
  readonly timeline: Signal<boolean> = remembered('timeline', false);
  readonly hidden: Signal<boolean> = signal(false);
  readonly dialog: Signal<DialogName | null> = signal<DialogName | null>(null);
  readonly menu: Signal<MenuName | null> = signal<MenuName | null>(null);
  // Whether the tour is under way.
  readonly tour: Signal<boolean> = signal(false);
  readonly sheet: Signal<SheetName | null> = signal<SheetName | null>(null);
  readonly branch: Signal<BranchAsked | null> = signal<BranchAsked | null>(null);
  // The link that is shown where it cannot be copied.
  readonly link: Signal<string> = signal('');
  // A mesh that was dropped and is being placed.
  readonly mesh: Signal<FileMesh | null> = signal<FileMesh | null>(null);
  // The piece with which the gallery opens; null: its first.
  readonly piece: Signal<string | null> = signal<string | null>(null);
  // A file that is being read or written.
  readonly reading: Signal<Reading | null> = signal<Reading | null>(null);
  // Whether files are being dragged over the page.
  readonly dropping: Signal<boolean> = signal(false);
  // Scenes that come with the page; empty until somebody asked for them.
  readonly samples: Signal<readonly Sample[]> = signal<readonly Sample[]>([]);
  readonly narrow: Signal<boolean> = signal(false);
  // How the page is a part of another one, by its address: ?embedded has the picture and time; ?embedded=edit the tools that select
  // and undo as well; neither has panels.
  readonly embedded: 'no' | 'pull' | 'edit' = howEmbedded();

  constructor() {
    // As in layout.css: too narrow for panels at the sides, or too low for anything above or below them.
    const narrow = matchMedia('(max-width: 720px), (max-height: 480px)');
    this.narrow.value = narrow.matches;
    narrow.addEventListener('change', () => {
      this.narrow.value = narrow.matches;
      this.sheet.value = null;
    });
  }

  shows(panel: Exclude<SheetName, 'inspector'>): boolean {
    return this.narrow.value ? this.sheet.value === panel : this[panel].value;
  }

  // The panel on a wide page, its sheet on a narrow one.
  toggle(panel: SheetName): void {
    if (this.narrow.peek()) {
      this.sheet.value = this.sheet.peek() === panel ? null : panel;
    } else if (panel === 'inspector') {
      this.settings.value = !this.settings.peek();
    } else {
      this[panel].value = !this[panel].peek();
    }
  }
}
