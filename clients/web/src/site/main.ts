// The page without a server: the worlds are in a worker (local/), the gallery's scenes lie beside the page, and what is to stay a
// person saves as a file.
//
// Without a world in the link, or with one that there is no scene of, it begins with FIRST.
import {effect} from '@preact/signals';
import {LocalHost, type LocalWorker} from '../local/socket.js';
import {openPage, type Page} from '../studio/page.js';
import {fetched, openSample, readSamples} from '../studio/ui/scenes/list.js';

const FIRST = 'jelly'; // the quickest of those in which bodies meet

// Asked for once, however often a connection is tried before it has come; and again where it did not.
function once<Result>(ask: () => Promise<Result>): () => Promise<Result> {
  let asked: Promise<Result> | null = null;
  return () => {
    asked ??= ask().catch((error: unknown) => {
      asked = null;
      throw error;
    });
    return asked;
  };
}

async function begin(page: Page, wanted: string | null): Promise<void> {
  const {app, ui} = page;
  await app.client.opened();
  const samples = ui.samples.peek();
  const sample = samples.find(({name}) => name === wanted) ?? samples.find(({name}) => name === FIRST);
  if (sample !== undefined) {
    await openSample(page, sample);
  }
}

// Browsers ask before they close a page that would rather stay. Only where there is work that would be lost: a page that may ask is
// not kept for the way back.
function keepWork({app}: Page): void {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault();
  effect(() => {
    if (app.unsaved.worlds.value.size > 0) {
      window.addEventListener('beforeunload', ask);
    } else {
      window.removeEventListener('beforeunload', ask);
    }
  });
}

async function main(): Promise<void> {
  const module = once(async () => WebAssembly.compile(await fetched('weft-world.wasm')));
  const worker = () => new Worker(new URL('../local/worker.ts', import.meta.url), {type: 'module'}) as LocalWorker;
  let page: Page | null = null;
  const host = new LocalHost(module, worker, (text) => {
    page?.app.notices.info(`The worlds in this page failed and are lost: ${text}`);
  });
  page = openPage({url: 'ws://page/', client: 'studio'}, {inPage: true}, host.socket());
  const {app, ui, link} = page;
  // An embedded world is only for trying things out, so the browser does not ask before its page is closed.
  if (ui.embedded === 'no') keepWork(page);
  await readSamples(ui);
  const opened = page;
  // Where the worlds are gone, what was open is there again as it began, if it is one of these.
  app.client.onSession((change) => {
    if (change === 'anew') {
      void app.worlds.refresh().then((list) => {
        if (list.ok && list.result.length === 0) {
          void begin(opened, app.document.name.peek());
        }
      });
    }
  });
  await begin(page, link.world);
}

void main();
