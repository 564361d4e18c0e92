// A page of the studio: picture and panels on one connection, whoever that is with.
//
// The link says which world and from where (#world=NAME&view=…) and is kept right as both change.
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

// Keeps the link right, and goes where it is changed to.
function followLink(app: App): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    const world = app.document.name.value;
    const pose = app.viewState.camera.value;
    clearTimeout(timer);
    if (world !== '') {
      timer = setTimeout(
        () => history.replaceState(null, '', formatLink(world, app.view ? pose : null)),
        LINK_MS,
      );
    }
  });
  window.addEventListener('hashchange', () => {
    const {world, pose} = parseLink(location.hash);
    if (world !== null && world !== app.document.name.peek()) {
      void app.open(world);
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
