// Work on meshes beside the page, each piece in a worker of its own.
import {compileFiles, type Tell} from '../../../files/index.js';
import type {Told, Work} from './worker.js';

export interface Ends<T> {
  readonly tell: Tell;
  readonly done: (result: T) => void;
  // In words for people.
  readonly failed: (words: string) => void;
}

// What is given back calls it off; nothing is told after that.
export function aside<K extends keyof Work>(
  kind: K,
  asked: Work[K]['asked'],
  ends: Ends<Work[K]['done']>,
): () => void {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {type: 'module'});
  let ended = false;
  const end = () => {
    ended = true;
    worker.terminate();
  };
  worker.onmessage = ({data}: MessageEvent<Told>) => {
    if (data.kind === 'progress') {
      ends.tell(data.doing, data.share);
      return;
    }
    end();
    if (data.kind === 'done') ends.done(data.done);
    else ends.failed(data.text);
  };
  worker.onerror = (event) => {
    end();
    ends.failed(`The browser stopped it. ${event.message ?? ''}`.trim());
  };
  const module = kind === 'write' ? Promise.resolve(null) : compileFiles(new URL('weft-files.wasm', document.baseURI));
  module.then(
    (compiled) => worker.postMessage({kind, asked, module: compiled}),
    (error: Error) => {
      if (ended) return;
      end();
      ends.failed(error.message);
    },
  );
  return end;
}
