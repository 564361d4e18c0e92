// Reads a mesh, or fills one, and reads and writes scenes, aside, so that the page goes on meanwhile. One piece of work:
// who does not want it any more ends the worker.
import {Files, type Lattice, type Scene, type SoupPaint} from '../../../files/index.js';
import {readFiles, type FileMesh} from './read.js';
import {sentence} from './words.js';

export interface Work {
  readonly read: {readonly asked: readonly File[]; readonly done: FileMesh};
  readonly fill: {
    readonly asked: {
      readonly positions: Float64Array;
      readonly triangles: Uint32Array;
      readonly paint?: SoupPaint;
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
    readonly asked: {readonly name: string; readonly document: Scene['document']};
    readonly done: Blob;
  };
}

// The module is weft-files.wasm; what is only written needs none.
export type Asked = {
  readonly [K in keyof Work]: {
    readonly kind: K;
    readonly asked: Work[K]['asked'];
    readonly module: K extends 'write' ? null : WebAssembly.Module;
  };
}[keyof Work];

export type Told =
  | {readonly kind: 'progress'; readonly doing: string; readonly share: number | null}
  | {readonly kind: 'done'; readonly done: Work[keyof Work]['done']}
  | {readonly kind: 'failed'; readonly text: string};

const say = (told: Told, moved: Transferable[] = []) =>
  (postMessage as (message: Told, moved: Transferable[]) => void)(told, moved);

const tell = (doing: string, share: number | null) => say({kind: 'progress', doing, share});

async function work(data: Asked): Promise<void> {
  if (data.kind === 'read') {
    const done = await readFiles(data.module, data.asked, tell);
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
    const text = new Uint8Array(await scene.arrayBuffer());
    const given = await Promise.all(
      beside.map(async (file) => [file.name, await file.arrayBuffer()] as const),
    );
    say({kind: 'done', done: new Files(data.module).scene(scene.name, text, new Map(given))});
    return;
  }
  if (data.kind === 'write') {
    const {sceneText} = await import('../scenes/write.js');
    const {name, document} = data.asked;
    say({kind: 'done', done: new Blob(sceneText(name, document), {type: 'application/json'})});
    return;
  }
  const {positions, triangles, cells, paint} = data.asked;
  const files = new Files(data.module, tell);
  files.soup({positions, triangles, lines: new Uint32Array(), ...(paint && {paint})});
  try {
    say({kind: 'done', done: files.fill(cells)});
  } catch (error) {
    throw new Error(sentence(error));
  }
}

addEventListener('message', ({data}: MessageEvent<Asked>) => {
  work(data).catch((error: unknown) =>
    say({kind: 'failed', text: error instanceof Error ? error.message : String(error)}),
  );
});
