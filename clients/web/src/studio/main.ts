// The page: connection, picture and panels put together.
//
// The link says which world and from where (#world=NAME&view=…) and is kept right as both change. Without one it is the
// world that was looked at last, or else one that plays.
import {effect} from '@preact/signals';
import type {AccessAcceptResult} from '../lib/index.js';
import {App, COMPUTED, formatLink, parseLink, type Computed, type TwinHost} from './model/index.js';
import {mountUi} from './ui/index.js';
import {remembered} from './ui/memory.js';
import {ownName} from './ui/session/name.js';
import {keepInvite, keepToken, ownInvite, ownToken, takeInvite} from './ui/session/token.js';
import {Meter, mountView} from './view/index.js';

const LINK_MS = 300;

declare global {
  interface Window {
    // For the browser's console, and for tests.
    weft?: App;
  }
}

function place(kind: 'div' | 'main', name: string): HTMLElement {
  const element = document.createElement(kind);
  element.className = name;
  return element;
}

function socketUrl(): string {
  return `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`;
}

// Simulates worlds on this page. Without the module (a build without WebAssembly) there is no such file, which the twin says then.
const twins: TwinHost = {
  machine: new URL('./weft-machine.wasm', location.href).href,
  worker: () => new Worker(new URL('../lib/twin/worker.ts', import.meta.url), {type: 'module', name: 'twin'}),
};

function canSimulate(): boolean {
  return typeof WebAssembly !== 'undefined' && typeof Worker !== 'undefined';
}

async function openFirst(app: App, named: string | null, last: string): Promise<void> {
  if (named !== null) {
    await app.open(named);
    return;
  }
  await app.client.opened();
  await app.worlds.refresh();
  const worlds = app.worlds.list.peek();
  const first =
    worlds.find((world) => world.name === last) ??
    worlds.find((world) => world.state === 'playing') ??
    worlds[0];
  // Somebody may have been quicker.
  if (first && app.document.name.peek() === '') {
    await app.open(first.name);
  }
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

// Who is a person here already takes an invitation as that.
async function acceptInvite(app: App, invite: string): Promise<void> {
  await app.client.opened();
  keepInvite(null);
  const told = await app.client.call('access.accept', {invite});
  invited = told.name;
}

// The world of the invitation that was accepted.
let invited: string | null = null;

function main(): void {
  const root = document.getElementById('root')!;
  const stage = place('main', 'stage');
  const panels = place('div', 'panels');
  root.replaceChildren(stage, panels);
  const meter = new Meter();
  takeInvite();
  const invite = ownInvite();
  const token = ownToken();
  const options = {
    url: socketUrl(),
    client: 'studio',
    user: ownName.peek(),
    ...(token !== null && {token}),
    ...(token === null && invite !== null && {invite}),
    accepted: (result: AccessAcceptResult) => {
      keepInvite(null);
      if (result.token !== '') keepToken(result.token);
      invited = result.name;
    },
    WebSocket: meter.socket(),
  };
  const app = new App(options, canSimulate() ? twins : null);
  window.weft = app;
  const link = parseLink(location.hash);
  const view = mountView(stage, app, meter, link.pose);
  mountUi(panels, app);
  followLink(app);
  const computed = remembered('computed', 'automatic');
  app.simulated.choice.value = COMPUTED.find((one) => one === computed.peek()) ?? ('automatic' satisfies Computed);
  effect(() => {
    computed.value = app.simulated.choice.value;
  });
  const last = remembered('world', '');
  const before = last.peek();
  effect(() => {
    if (app.document.phase.value === 'joined') {
      last.value = app.document.name.value;
    }
  });
  effect(() => {
    const name = app.document.name.value;
    document.title = name === '' ? 'weft' : `${name} · weft`;
  });
  if (view && new URLSearchParams(location.search).has('bench')) {
    void import('../../bench/page.js').then(({bench}) => bench(app, view));
  } else {
    const first = async () => {
      if (invite !== null && token !== null) {
        await acceptInvite(app, invite).catch((error: unknown) => {
          if (error instanceof Error && error.name === 'WeftError') app.notices.error(error as never);
        });
      } else if (invite !== null) {
        await app.client.opened();
      }
      await openFirst(app, invited ?? link.world, before);
    };
    void first().catch(() => undefined);
  }
}

main();
