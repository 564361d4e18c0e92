// The page that a server has. Without a world in the link it is the one that was looked at last, or else one that plays.
import {effect} from '@preact/signals';
import {loadCodec, type AccessAcceptResult, type Codec} from '../lib/index.js';
import {COMPUTED, type App, type Computed, type TwinHost} from './model/index.js';
import {goTo, openPage} from './page.js';
import {remembered} from './ui/memory.js';
import {ownName} from './ui/session/name.js';
import {keepInvite, keepToken, ownInvite, ownToken, takeInvite} from './ui/session/token.js';

function socketUrl(): string {
  return `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`;
}

// Threads share memory. WebKitGTK says that the page is isolated, and shares no memory all the same.
const sharesMemory = crossOriginIsolated && typeof SharedArrayBuffer !== 'undefined';

// Simulates worlds on this page. Without the module (a build without WebAssembly) there is no such file, which the twin says then.
const twins: TwinHost = {
  machine: new URL(sharesMemory ? './weft-machine-threads.wasm' : './weft-machine.wasm', location.href).href,
  worker: () => new Worker(new URL('../lib/twin/worker.ts', import.meta.url), {type: 'module', name: 'twin'}),
};

// Reads compressed positions. Without WebAssembly, here or in the build, they come as floats, and the page says so.
async function codec(): Promise<Codec> {
  return loadCodec(new URL('./weft-codec.wasm', location.href));
}

function canSimulate(): boolean {
  return typeof WebAssembly !== 'undefined' && typeof Worker !== 'undefined';
}

async function openFirst(app: App, named: string | null, tick: number | null, last: string): Promise<void> {
  if (named !== null) {
    await goTo(app, named, tick);
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
  };
  const {app, view, link} = openPage(options, {twins: canSimulate() ? twins : null, codec: codec()});
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
      await openFirst(app, invited ?? link.world, invited === null ? link.tick : null, before);
    };
    void first().catch(() => undefined);
  }
}

main();
