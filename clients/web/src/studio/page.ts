// A page of the studio: picture and panels on one connection, whoever that is with.
//
// The link says which world, which moment of its past and from where (#world=NAME&tick=…&view=…), and is kept right as they change.
import {effect} from '@preact/signals';
import type {ConnectOptions, WebSocketLike} from '../lib/index.js';
import {App, formatLink, parseLink, type Link, type Surroundings} from './model/index.js';
import type {Studio} from './ui/context.js';
import {mountUi} from './ui/index.js';
import {Meter, mountView, type Stage} from './view/index.js';

const LINK_MS = 300;

declare global {
  interface Window {
    // For the browser's console, and for tests.
    weft?: App;
  }
}

export interface Page extends Studio {
  readonly view: Stage | null;
  // With which it was opened.
  readonly link: Link;
}

function place(kind: 'div' | 'main', name: string): HTMLElement {
  const element = document.createElement(kind);
  element.className = name;
  return element;
}

// Opens a world, and a moment of its past if that is named and kept; else says so.
export async function goTo(app: App, world: string, tick: number | null): Promise<void> {
  if (world !== app.document.name.peek()) {
    await app.open(world);
  } else if (tick === null) {
    await app.past.back();
  }
  if (tick === null || app.document.phase.peek() !== 'joined') {
    return;
  }
  const visited = await app.past.visit(tick);
  const moment = `Tick ${tick.toLocaleString('en')}`;
  if (!visited.ok) {
    app.notices.info(`${moment} of ${world} cannot be shown: ${visited.error.text}`);
  } else if (!visited.result.kept) {
    const {first, last} = visited.result;
    const range = `${first.toLocaleString('en')} to ${last.toLocaleString('en')}`;
    app.notices.info(`${moment} of ${world} is not kept. Ticks ${range} are; you see the present.`);
  }
}

// Keeps the link right, and goes where it is changed to.
function followLink(app: App): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    const world = app.document.name.value;
    const pose = app.viewState.camera.value;
    const tick = app.past.at.value;
    clearTimeout(timer);
    if (world !== '') {
      timer = setTimeout(
        () => history.replaceState(null, '', formatLink(world, app.view ? pose : null, tick)),
        LINK_MS,
      );
    }
  });
  window.addEventListener('hashchange', () => {
    const {world, pose, tick} = parseLink(location.hash);
    const other = world !== null && world !== app.document.name.peek();
    if (other || tick !== app.past.at.peek()) {
      void goTo(app, world ?? app.document.name.peek(), tick);
    }
    if (pose) {
      app.view?.goTo(pose);
    }
  });
}

// Socket: what the connection is made of, where that is no WebSocket.
export function openPage(
  options: ConnectOptions,
  surroundings: Surroundings = {},
  Socket?: new (url: string) => WebSocketLike,
): Page {
  const root = document.getElementById('root')!;
  const stage = place('main', 'stage');
  const panels = place('div', 'panels');
  root.replaceChildren(stage, panels);
  const meter = new Meter();
  const app = new App({...options, WebSocket: meter.socket(Socket)}, surroundings);
  window.weft = app;
  const link = parseLink(location.hash);
  const view = mountView(stage, app, meter, link.pose);
  const {ui} = mountUi(panels, app);
  followLink(app);
  effect(() => {
    const name = app.document.name.value;
    document.title = name === '' ? 'weft' : `${name} · weft`;
  });
  return {app, ui, view, link};
}
