// Normals of large surfaces, and such surfaces with fewer triangles, computed in a worker; aside.ts uses it.
import {coarser} from './coarse.js';
import {smoothNormals} from './normals.js';

export type Asked =
  // `fewer`: about how many triangles are wanted instead, of each coarser one.
  | {
      readonly kind: 'surface';
      readonly id: number;
      readonly corners: Uint32Array;
      readonly rest: Float32Array;
      readonly fewer: readonly number[];
    }
  | {readonly kind: 'shape'; readonly id: number; readonly vertices: Float32Array; readonly room: Float32Array}
  | {readonly kind: 'forget'; readonly id: number};

export type Answered = Normals | Coarser;

export interface Coarser {
  readonly kind: 'coarser';
  readonly id: number;
  readonly corners: readonly Uint32Array[];
}

// Both arrays belong to whoever asked again.
export interface Normals {
  readonly kind: 'normals';
  readonly id: number;
  readonly vertices: Float32Array;
  readonly normals: Float32Array;
}

const answer = postMessage as (message: Answered, moved: Transferable[]) => void;
const surfaces = new Map<number, Uint32Array>();

addEventListener('message', ({data}: MessageEvent<Asked>) => {
  if (data.kind === 'surface') {
    const {id, corners, rest, fewer} = data;
    surfaces.set(id, corners);
    // Normals that were asked for meanwhile come first.
    const all = () => fewer.map((wanted) => coarser(corners, rest, wanted));
    setTimeout(() => {
      if (surfaces.has(id)) {
        answer({kind: 'coarser', id, corners: all()}, []);
      }
    });
  } else if (data.kind === 'forget') {
    surfaces.delete(data.id);
  } else {
    const {id, vertices, room} = data;
    smoothNormals(vertices, surfaces.get(id) ?? new Uint32Array(0), room);
    answer({kind: 'normals', id, vertices, normals: room}, [vertices.buffer, room.buffer]);
  }
});
