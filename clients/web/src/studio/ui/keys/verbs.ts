// What one can do, with its key: the one list that the keyboard, the tips and the sheet of keys read.
//
// The view has keys of its own (W A S D Q E, arrows, F); they are listed here without a deed.
import type {Signal} from '@preact/signals';

import {formatLink, HANDLE_MODES, type ThemeChoice} from '../../model/viewstate.js';
import {said, whyFixed, type Studio} from '../context.js';
import {formatCount} from '../forms/numbers.js';
import {groupSelected, ungroupSelected} from '../panels/grouping.js';
import {hide, isHidden, isLocked, isolate, lock, showAll} from '../panels/look.js';
import {remove} from '../removal.js';
import {save} from '../save.js';
import {chooseScene, saveScene} from '../scenes/scenes.js';
import {goTo} from '../timeline/strip.js';
import {takeBack} from '../undo.js';
import {holdByKeys} from './hold.js';

export interface Verb {
  readonly id: string;
  readonly name: string;
  readonly group: 'Time' | 'Tools' | 'Selection' | 'Camera' | 'Page';
  // As KeyboardEvent.key has it, lower case, with 'shift+' or 'mod+' before it; the first one is shown.
  readonly keys: readonly string[];
  readonly shown?: string;
  // Changes the world: not in the past, nor where it takes no edits.
  readonly edits?: boolean;
  // The browser tells of these keys by an event of its own (clip/keys.ts); the deed is for menus and the palette.
  readonly event?: boolean;
  readonly run?: (studio: Studio) => void;
}

const THEMES: readonly ThemeChoice[] = ['system', 'light', 'dark'];
const RATES = [0.1, 0.25, 0.5, 1, 2, 4];

function replay(app: Studio['app'], act: () => void): void {
  if (app.past.offered.peek()) act();
  else app.notices.info('This server does not keep the past.');
}

function nextRate({app}: Studio, up: boolean): void {
  if (app.past.at.peek() !== null) return app.replay.faster(up);
  const rate = app.commands.rate.peek();
  const next = up
    ? RATES.find((one) => one > rate + 1e-9)
    : [...RATES].reverse().find((one) => one < rate - 1e-9);
  if (next === undefined) return;
  void said(app, app.commands.setRate(next));
}

// The next substep of the tick that is looked into; the first press runs one.
function scrub({app}: Studio, by: number): void {
  const {scrubber} = app;
  if (scrubber.count.peek() > 0) scrubber.show(scrubber.index.peek() + by);
  else void captureTick(app);
}

export async function captureTick(app: Studio['app']): Promise<void> {
  if (app.document.readOnly.peek() !== '') return refusePast(app);
  if (app.document.playing.peek() && !(await said(app, app.commands.pause()))) return;
  await said(app, app.scrubber.capture());
}

export const VERBS: readonly Verb[] = [
  {
    id: 'play',
    name: 'Play or pause; in the past, what was',
    group: 'Time',
    keys: [' '],
    shown: 'Space',
    run: ({app}) => (app.past.at.peek() !== null ? app.replay.toggle() : void said(app, app.commands.toggle())),
  },
  {
    id: 'step',
    name: 'Step one tick; in the past, to the next one',
    group: 'Time',
    keys: ['.'],
    run: ({app}) =>
      app.past.at.peek() === null
        ? void said(app, app.commands.step())
        : goTo(app, (app.past.at.peek() ?? 0) + 1),
  },
  {
    id: 'past-back',
    name: 'One tick back, into the past',
    group: 'Time',
    keys: [','],
    run: (studio) => {
      const {past} = studio.app;
      if (!past.offered.peek()) return;
      goTo(studio.app, (past.at.peek() ?? past.range.peek().last) - 1);
      studio.ui.timeline.value = true;
    },
  },
  {
    id: 'timeline',
    name: 'Timeline',
    group: 'Time',
    keys: ['j'],
    run: ({app, ui}) => {
      if (app.past.offered.peek()) ui.timeline.value = !ui.timeline.peek();
      else app.notices.info('This server does not keep the past.');
    },
  },
  {
    id: 'replay-back',
    name: 'Play the past backwards',
    group: 'Time',
    keys: ['shift+j'],
    shown: 'Shift+J',
    run: ({app}) => replay(app, () => app.replay.toggle(true)),
  },
  {
    id: 'loop-first',
    name: 'Repeat the past from here',
    group: 'Time',
    keys: ['shift+b'],
    shown: 'Shift+B',
    run: ({app}) => replay(app, () => app.replay.mark('first')),
  },
  {
    id: 'loop-last',
    name: 'Repeat the past up to here',
    group: 'Time',
    keys: ['shift+r'],
    shown: 'Shift+R',
    run: ({app}) => replay(app, () => app.replay.mark('last')),
  },
  {
    id: 'scrub-on',
    name: 'Show the substeps of a tick, next substep',
    group: 'Time',
    keys: [']'],
    run: (studio) => scrub(studio, 1),
  },
  {
    id: 'scrub-back',
    name: 'Previous substep',
    group: 'Time',
    keys: ['['],
    run: (studio) => scrub(studio, -1),
  },
  {
    id: 'slower',
    name: 'Slower',
    group: 'Time',
    keys: ['-'],
    shown: '−',
    run: (studio) => nextRate(studio, false),
  },
  {id: 'faster', name: 'Faster', group: 'Time', keys: ['+', '='], run: (studio) => nextRate(studio, true)},
  {
    id: 'reset',
    name: 'Reset to the start',
    edits: true,
    group: 'Time',
    keys: ['r'],
    run: ({app}) => void said(app, app.commands.reset()),
  },

  {
    id: 'tool-grab',
    name: 'Drag',
    group: 'Tools',
    keys: ['1'],
    run: ({app}) => void (app.viewState.tool.value = 'grab'),
  },
  {
    id: 'tool-click',
    name: 'Select by click',
    group: 'Tools',
    keys: ['2'],
    run: ({app}) => void (app.viewState.tool.value = 'click'),
  },
  {
    id: 'tool-box',
    name: 'Select by box',
    group: 'Tools',
    keys: ['3'],
    run: ({app}) => void (app.viewState.tool.value = 'box'),
  },
  {
    id: 'tool-lasso',
    name: 'Select by lasso',
    group: 'Tools',
    keys: ['4'],
    run: ({app}) => void (app.viewState.tool.value = 'lasso'),
  },
  {
    id: 'tool-measure',
    name: 'Measure',
    group: 'Tools',
    keys: ['5'],
    run: ({app}) => void (app.viewState.tool.value = 'measure'),
  },
  {
    id: 'target',
    name: 'Select bodies, particles or constraints',
    group: 'Tools',
    keys: ['x'],
    run: ({app}) => nextTarget(app),
  },

  {
    id: 'hold',
    edits: true,
    name: 'Grab the selected particle; arrows pull, Enter releases it',
    group: 'Selection',
    keys: ['g'],
    run: ({app}) => holdByKeys(app),
  },
  {
    id: 'pin',
    edits: true,
    name: 'Pin',
    group: 'Selection',
    keys: ['p'],
    run: ({app}) => void said(app, app.commands.pinSelected(app.selection.selected.peek())),
  },
  {
    id: 'unpin',
    edits: true,
    name: 'Unpin',
    group: 'Selection',
    keys: ['u'],
    run: ({app}) => void said(app, app.commands.unpinSelected(app.selection.selected.peek())),
  },
  {id: 'connect', edits: true, name: 'Add a constraint', group: 'Selection', keys: ['c'], run: ({ui}) => showConnect(ui)},
  {
    id: 'remove',
    edits: true,
    name: 'Remove',
    group: 'Selection',
    keys: ['delete', 'backspace'],
    shown: 'Del',
    run: ({app}) => void remove(app, app.selection.selected.peek()),
  },
  {
    id: 'undo',
    edits: true,
    name: 'Undo your last edit',
    group: 'Selection',
    keys: ['mod+z'],
    shown: 'Ctrl+Z',
    run: ({app}) => void takeBack(app),
  },
  {
    id: 'redo',
    edits: true,
    name: 'Redo the edit that you undid',
    group: 'Selection',
    keys: ['mod+shift+z', 'mod+y'],
    shown: 'Ctrl+⇧Z',
    run: ({app}) => void takeBack(app, {redo: true}),
  },
  {
    id: 'copy',
    name: 'Copy',
    group: 'Selection',
    keys: ['mod+c'],
    shown: 'Ctrl+C',
    event: true,
    run: (studio) => void import('../clip/clip.js').then(({copy}) => copy(studio)),
  },
  {
    id: 'cut',
    edits: true,
    name: 'Cut',
    group: 'Selection',
    keys: ['mod+x'],
    shown: 'Ctrl+X',
    event: true,
    run: (studio) => void import('../clip/clip.js').then(({cut}) => cut(studio)),
  },
  {
    id: 'paste',
    edits: true,
    name: 'Paste, also from another world',
    group: 'Selection',
    keys: ['mod+v'],
    shown: 'Ctrl+V',
    event: true,
    run: (studio) => void import('../clip/clip.js').then(({paste}) => paste(studio)),
  },
  {
    id: 'select-all',
    name: 'Select everything, or all particles of what is selected',
    group: 'Selection',
    keys: ['mod+a'],
    shown: 'Ctrl+A',
    run: ({app}) => selectAll(app),
  },
  {
    id: 'duplicate',
    edits: true,
    name: 'Duplicate',
    group: 'Selection',
    keys: ['mod+d'],
    shown: 'Ctrl+D',
    run: (studio) => void import('../clip/clip.js').then(({duplicate}) => duplicate(studio)),
  },
  {
    id: 'show-hidden',
    name: 'Show what is hidden on this page',
    group: 'Selection',
    keys: ['shift+u'],
    shown: 'Shift+U',
    run: ({app}) => showAll(app),
  },
  {
    id: 'hide-thing',
    name: 'Hide or show on this page',
    group: 'Selection',
    keys: ['shift+h'],
    shown: 'Shift+H',
    run: ({app}) => {
      const selected = app.selection.selected.peek();
      hide(app, selected, !isHidden(app, selected));
    },
  },
  {
    id: 'lock-thing',
    name: 'Lock or unlock on this page',
    group: 'Selection',
    keys: ['shift+l'],
    shown: 'Shift+L',
    run: ({app}) => {
      const selected = app.selection.selected.peek();
      lock(app, selected, !isLocked(app, selected));
    },
  },
  {
    id: 'isolate',
    name: 'Leave only the selection in sight, or show everything',
    group: 'Selection',
    keys: ['shift+i'],
    shown: 'Shift+I',
    run: ({app}) => isolate(app, app.selection.selected.peek()),
  },
  {
    id: 'group',
    edits: true,
    name: 'Group',
    group: 'Selection',
    keys: ['mod+g'],
    shown: 'Ctrl+G',
    run: (studio) => void groupSelected(studio),
  },
  {
    id: 'ungroup',
    edits: true,
    name: 'Out of the group',
    group: 'Selection',
    keys: ['mod+shift+g'],
    shown: 'Ctrl+⇧G',
    run: (studio) => void ungroupSelected(studio),
  },
  {
    id: 'clear',
    name: 'Clear the selection',
    group: 'Selection',
    keys: ['escape'],
    shown: 'Esc',
    run: (studio) => leave(studio),
  },

  {
    id: 'focus',
    name: 'Bring the selection into view',
    group: 'Camera',
    // The view has this key.
    keys: [],
    shown: 'F',
    run: ({app}) => app.view?.focus('selection'),
  },
  {
    id: 'all',
    name: 'Bring everything into view',
    group: 'Camera',
    keys: ['home'],
    shown: 'Home',
    run: ({app}) => app.view?.focus('all'),
  },
  {id: 'front', name: 'From the front', group: 'Camera', keys: ['7'], run: ({app}) => app.view?.lookAlong('front')},
  {id: 'side', name: 'From the side', group: 'Camera', keys: ['8'], run: ({app}) => app.view?.lookAlong('side')},
  {id: 'top', name: 'From above', group: 'Camera', keys: ['9'], run: ({app}) => app.view?.lookAlong('top')},
  {
    id: 'orthographic',
    name: 'Orthographic or perspective',
    group: 'Camera',
    keys: ['0'],
    run: ({app}) => void (app.viewState.orthographic.value = !app.viewState.orthographic.peek()),
  },
  {id: 'fly', name: 'Fly', group: 'Camera', keys: [], shown: 'W A S D'},
  {id: 'rise', name: 'Down, up', group: 'Camera', keys: [], shown: 'Q E'},
  {id: 'orbit', name: 'Turn', group: 'Camera', keys: [], shown: '← ↑ → ↓'},
  {
    id: 'turn-handle',
    name: 'Handle moves, turns or resizes',
    group: 'Camera',
    keys: ['t'],
    run: ({app}) => nextHandle(app),
  },

  {
    id: 'snap',
    name: 'Handles snap or not; Ctrl does the other while it is down',
    group: 'Camera',
    keys: ['k'],
    run: ({app}) => void (app.viewState.snapping.value = !app.viewState.snapping.peek()),
  },

  {
    id: 'new',
    edits: true,
    name: 'New body or collider',
    group: 'Page',
    keys: ['n'],
    run: ({ui}) => void (ui.dialog.value = 'new'),
  },
  {
    id: 'palette',
    name: 'Find a command, a thing or a field',
    group: 'Page',
    keys: ['mod+k', '/'],
    shown: 'Ctrl+K',
    run: ({ui}) => void (ui.dialog.value = 'palette'),
  },
  {
    id: 'worlds',
    name: 'Worlds',
    group: 'Page',
    keys: ['b'],
    run: ({ui}) => void (ui.menu.value = ui.menu.peek() === 'worlds' ? null : 'worlds'),
  },
  {id: 'outline', name: 'Outline', group: 'Page', keys: ['o'], run: ({ui}) => ui.toggle('outline')},
  {
    id: 'inspector',
    name: 'World settings',
    group: 'Page',
    keys: ['i'],
    run: (studio) => showSettings(studio),
  },
  {id: 'plots', name: 'Plots', group: 'Page', keys: ['m'], run: ({ui}) => ui.toggle('plots')},
  {
    id: 'view',
    name: 'View options',
    group: 'Page',
    keys: ['v'],
    run: ({ui}) => void (ui.menu.value = ui.menu.peek() === 'view' ? null : 'view'),
  },
  {
    id: 'wireframe',
    name: 'Wireframe',
    group: 'Camera',
    keys: ['z'],
    run: ({app}) => flip(app.viewState.overlays.wireframe),
  },
  {
    id: 'velocities',
    name: 'Velocities',
    group: 'Camera',
    keys: ['shift+v'],
    shown: 'Shift+V',
    run: ({app}) => flip(app.viewState.overlays.velocities),
  },
  {
    id: 'contacts',
    name: 'Contact between bodies',
    group: 'Camera',
    keys: ['shift+c'],
    shown: 'Shift+C',
    run: ({app}) => flip(app.viewState.overlays.contacts),
  },
  {
    id: 'strain',
    name: 'Strain',
    group: 'Camera',
    keys: ['shift+x'],
    shown: 'Shift+X',
    run: ({app}) => {
      const {constraints} = app.viewState.overlays;
      constraints.value = constraints.peek() === 'strain' ? 'off' : 'strain';
    },
  },
  {
    id: 'picture',
    name: 'Save a picture',
    group: 'Page',
    keys: ['shift+k'],
    shown: 'Shift+K',
    run: ({app}) => void savePicture(app),
  },
  {
    id: 'people',
    name: 'People here, and your name',
    group: 'Page',
    keys: ['shift+p'],
    shown: 'Shift+P',
    run: ({app, ui}) => {
      if (!app.inPage) ui.menu.value = ui.menu.peek() === 'people' ? null : 'people';
    },
  },
  {
    id: 'edits',
    name: 'All edits and their authors',
    group: 'Time',
    keys: ['shift+g'],
    shown: 'Shift+G',
    run: ({app, ui}) => {
      if (!app.past.offered.peek()) return app.notices.info('This server does not keep the past.');
      ui.timeline.value = true;
      ui.menu.value = ui.menu.peek() === 'edits' ? null : 'edits';
    },
  },
  {
    id: 'new-world',
    name: 'New world',
    group: 'Page',
    keys: ['shift+n'],
    shown: 'Shift+N',
    run: ({ui}) => void (ui.dialog.value = 'world'),
  },
  {
    id: 'theme',
    name: 'Light, dark or the system’s theme',
    group: 'Page',
    keys: ['shift+t'],
    shown: 'Shift+T',
    run: ({app}) => {
      const {themeChoice} = app.viewState;
      themeChoice.value = THEMES[(THEMES.indexOf(themeChoice.peek()) + 1) % THEMES.length] ?? 'system';
    },
  },
  {
    id: 'statistics',
    name: 'Statistics',
    group: 'Page',
    keys: ['y'],
    run: ({ui}) => ui.toggle('statistics'),
  },
  {
    id: 'save',
    name: 'Save the world as a scene',
    group: 'Page',
    keys: ['mod+s'],
    shown: 'Ctrl+S',
    run: (studio) => void saveScene(studio),
  },
  {
    id: 'open',
    name: 'Open a scene as a new world',
    group: 'Page',
    keys: ['mod+o'],
    shown: 'Ctrl+O',
    run: (studio) => chooseScene(studio),
  },
  {
    id: 'export',
    name: 'Export a recording, a video or a picture',
    group: 'Page',
    keys: ['mod+e'],
    shown: 'Ctrl+E',
    run: ({ui}) => void (ui.dialog.value = 'export'),
  },
  {id: 'link', name: 'Copy a link', group: 'Page', keys: ['l'], run: (studio) => void copyLink(studio)},
  {
    id: 'hide',
    name: 'Hide the panels',
    group: 'Page',
    keys: ['h'],
    run: ({ui}) => void (ui.hidden.value = !ui.hidden.peek()),
  },
  {
    id: 'help',
    name: 'Help',
    group: 'Page',
    keys: ['f1'],
    shown: 'F1',
    run: ({ui}) => void (ui.dialog.value = 'help'),
  },
  {
    id: 'keys',
    name: 'Show these keys',
    group: 'Page',
    keys: ['?', 'shift+?'],
    shown: '?',
    run: ({ui}) => void (ui.dialog.value = 'keys'),
  },
];

export function keyOf(id: string): string | undefined {
  const verb = VERBS.find((one) => one.id === id);
  return verb && shownKey(verb);
}

export function shownKey(verb: Verb): string {
  if (verb.shown) return verb.shown;
  const key = verb.keys[0] ?? '';
  return key.length === 1 ? key.toUpperCase() : key;
}

// The world's settings are what the inspector shows where nothing is selected.
export function showSettings({app, ui}: Studio): void {
  if (!app.selection.empty.peek()) {
    app.selection.clear();
    ui.settings.value = true;
    if (ui.narrow.peek()) ui.sheet.value = 'inspector';
  } else {
    ui.toggle('inspector');
  }
}

// Does what a verb does, as its key would.
export function run(studio: Studio, id: string): void {
  const verb = VERBS.find((one) => one.id === id);
  if (verb?.edits && studio.app.document.readOnly.peek() !== '') refusePast(studio.app);
  else verb?.run?.(studio);
}

// Says why nothing is done now.
export function refusePast(app: Studio['app']): void {
  app.notices.info(whyFixed(app));
}

function flip(shown: Signal<boolean>): void {
  shown.value = !shown.peek();
}

export async function savePicture(app: Studio['app']): Promise<void> {
  const blob = await app.view?.capture();
  if (blob) save(`${app.document.name.peek() || 'weft'}.png`, blob);
}

// While particles are what is selected, all of the same bodies; else all bodies and colliders.
function selectAll(app: Studio['app']): void {
  const {particles, bodies} = app.selection.selected.peek();
  const all = app.document.bodies.peek();
  if (app.viewState.target.peek() === 'particle' && particles.size + bodies.size > 0) {
    const of = [...new Set([...particles.keys(), ...bodies])].flatMap((id) => all.get(id) ?? []);
    app.selection.selectAllOf(
      new Map(of.map((body) => [body.body, Uint32Array.from({length: body.particles}, (_, i) => i)])),
    );
    return;
  }
  app.selection.select([
    ...[...all.keys()].map((body) => ({kind: 'body' as const, body})),
    ...[...app.document.colliders.peek().keys()].map((collider) => ({kind: 'collider' as const, collider})),
  ]);
}

function nextTarget(app: Studio['app']): void {
  const {target, tool} = app.viewState;
  const all = ['body', 'particle', 'constraint'] as const;
  target.value = all[(all.indexOf(target.peek()) + 1) % all.length] ?? 'body';
  if (tool.peek() === 'grab' || tool.peek() === 'measure') tool.value = 'click';
}

function nextHandle(app: Studio['app']): void {
  const {handle} = app.viewState;
  handle.value = HANDLE_MODES[(HANDLE_MODES.indexOf(handle.peek()) + 1) % HANDLE_MODES.length] ?? 'move';
}

function leave({app, ui}: Studio): void {
  const question = [...app.notices.list.peek()].reverse().find(({kind, action}) => kind === 'error' && action !== null);
  if (ui.menu.peek()) ui.menu.value = null;
  else if (question) app.notices.dismiss(question.id);
  else if (ui.hidden.peek()) ui.hidden.value = false;
  else if (app.viewState.picked.peek().length > 0) app.viewState.picked.value = [];
  else if (app.scrubber.count.peek() > 0) app.scrubber.leave();
  else if (app.people.following.peek() !== 0) app.people.unfollow();
  else if (app.past.at.peek() !== null) void app.past.back();
  else if (!app.selection.empty.peek()) app.selection.clear();
  else if (ui.sheet.peek()) ui.sheet.value = null;
  else ui.settings.value = false;
}

// The inspector has the form; the keyboard goes to it.
function showConnect(ui: Studio['ui']): void {
  if (ui.narrow.peek()) ui.sheet.value = 'inspector';
  focusConnect(CONNECT_FRAMES);
}

// So many frames are waited for the form, which is fetched when it is first shown.
const CONNECT_FRAMES = 120;

function focusConnect(frames: number): void {
  requestAnimationFrame(() => {
    const form = document.querySelector<HTMLElement>('[data-part="connect"]');
    if (!form && frames > 0) return focusConnect(frames - 1);
    form?.scrollIntoView({block: 'nearest'});
    form?.querySelector<HTMLElement>('[aria-checked="true"], select, input, button')?.focus();
  });
}

// `tick` is a moment that the link opens; without it, it opens the one that is shown, if that is past, or else the present.
export async function copyLink({app, ui}: Studio, tick = app.past.at.peek()): Promise<void> {
  const address = formatLink(app.document.name.peek(), app.view ? app.viewState.camera.peek() : null, tick);
  const link = new URL(address, location.href).href;
  try {
    await navigator.clipboard.writeText(link);
    app.notices.info(`The link to this world${tick === null ? '' : `, tick ${formatCount(tick)}`} and view is copied.`);
  } catch {
    // Without a secure connection there is no clipboard for pages: the link is shown, to be copied by hand.
    ui.link.value = link;
    ui.dialog.value = 'link';
  }
}
