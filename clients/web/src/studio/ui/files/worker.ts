// Reads a mesh, or fills one, and reads and writes scenes, aside, so that the page goes on meanwhile. One piece of work:
// who does not want it any more ends the worker.
import type {Document, Scene} from '../scenes/read.js';
import {fill, type Lattice} from './lattice.js';
import {readFiles, type FileMesh} from './read.js';

export interface Work {
  readonly read: {readonly asked: readonly File[]; readonly done: FileMesh};
  readonly fill: {
    readonly asked: {
      readonly positions: Float64Array;
      readonly triangles: Uint32Array;
      readonly cells: number;
    };
    readonly done: Lattice;
  };
  // The scene, and the files that may be beside it.
  readonly scene: {
    readonly asked: {readonly scene: File; readonly beside: readonly File[]};
    readonly done: Scene;
  };
  readonly write: {
    readonly asked: {readonly name: string; readonly document: Document};
    readonly done: Blob;
  };
}

export type Asked = {readonly [K in keyof Work]: {readonly kind: K; readonly asked: Work[K]['asked']}}[keyof Work];

export type Told =
  | {readonly kind: 'progress'; readonly doing: string; readonly share: number | null}
  | {readonly kind: 'done'; readonly done: Work[keyof Work]['done']}
  | {readonly kind: 'failed'; readonly text: string};

const say = (told: Told, moved: Transferable[] = []) =>
  (postMessage as (message: Told, moved: Transferable[]) => void)(told, moved);

const tell = (doing: string, share: number | null) => say({kind: 'progress', doing, share});

async function work(data: Asked): Promise<void> {
  if (data.kind === 'read') {
    const done = await readFiles(data.asked, tell);
    const {positions, triangles, lines, tets} = done;
    say({kind: 'done', done}, [
      positions.buffer,
      triangles.buffer,
      lines.buffer,
      ...(tets ? [tets.buffer] : []),
    ]);
    return;
  }
  if (data.kind === 'scene') {
    const {scene, beside} = data.asked;
    const {readScene} = await import('../scenes/read.js');
    const files = await Promise.all(
      beside.map(async (file) => [file.name, await file.arrayBuffer()] as const),
    );
    say({kind: 'done', done: readScene(await scene.text(), scene.name, new Map(files))});
    return;
  }
  if (data.kind === 'write') {
    const {sceneText} = await import('../scenes/write.js');
    const {name, document} = data.asked;
    say({kind: 'done', done: new Blob(sceneText(name, document), {type: 'application/json'})});
    return;
  }
  const {positions, triangles, cells} = data.asked;
  say({kind: 'done', done: fill(positions, triangles, cells, tell)});
}

addEventListener('message', ({data}: MessageEvent<Asked>) => {
  work(data).catch((error: unknown) =>
    say({kind: 'failed', text: error instanceof Error ? error.message : String(error)}),
  );
});
