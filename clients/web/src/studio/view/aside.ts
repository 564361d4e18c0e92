// Normals of large surfaces are worked out by a worker: for a cloth of 300 × 300 that is most of what a frame takes.
//
//     page     vertices ──copy──▶ ─────┐                ┌──▶ drawn with the next picture, a frame or two late
//     worker                           └──▶ normals ────┘
//
// A surface has one request under way; what moved meanwhile is asked for when the answer is there, so that the last
// one is of where it rests. Three arrays go round, so that nothing is allocated.
import type {Answered, Asked, Normals} from './normalsworker.js';

// Fewer are done at once, and are then those of the same moment.
export const ASIDE_TRIANGLES = 12_000;

// Of those, about how many are drawn while something moves, and while nothing does, where not all can be.
const FEWER = [40_000, 300_000] as const;

export interface Listener {
  // Takes normals and gives the array that it had before.
  normals(normals: Float32Array): Float32Array;
  // Corners of fewer and of more triangles, fewer than all; absent where those are few enough.
  coarser(corners: readonly (Uint32Array | undefined)[]): void;
}

interface Surface {
  readonly vertices: Float32Array;
  readonly listener: Listener;
  copy: Float32Array;
  room: Float32Array;
  busy: boolean;
  stale: boolean;
}

export class Aside {
  private readonly surfaces = new Map<number, Surface>();
  private worker: Worker | null = null;
  private last = 0;
  private readonly waiting: (() => void)[] = [];

  // `done`: there is something new to draw.
  constructor(private readonly done: () => void) {}

  // The vertices are those of the rest shape. Null where there are no workers.
  add(corners: Uint32Array, vertices: Float32Array, listener: Listener): number | null {
    const worker = this.start();
    if (!worker) {
      return null;
    }
    const id = ++this.last;
    const room = () => new Float32Array(vertices.length);
    this.surfaces.set(id, {vertices, listener, copy: room(), room: room(), busy: false, stale: false});
    const [own, rest] = [corners.slice(), vertices.slice()];
    const fewer = FEWER.filter((wanted) => corners.length > 4.5 * wanted);
    this.post({kind: 'surface', id, corners: own, rest, fewer}, [own.buffer, rest.buffer]);
    return id;
  }

  // The vertices have moved.
  ask(id: number): void {
    const surface = this.surfaces.get(id);
    if (!surface) {
      return;
    }
    surface.stale = surface.busy;
    if (!surface.busy) {
      const {copy, room, vertices} = surface;
      copy.set(vertices);
      surface.busy = true;
      this.post({kind: 'shape', id, vertices: copy, room}, [copy.buffer, room.buffer]);
    }
  }

  // Once normals are those of the vertices.
  settled(): Promise<void> {
    const busy = [...this.surfaces.values()].some((surface) => surface.busy);
    return busy ? new Promise((done) => this.waiting.push(done)) : Promise.resolve();
  }

  remove(id: number): void {
    if (this.surfaces.delete(id)) {
      this.post({kind: 'forget', id}, []);
    }
  }

  close(): void {
    this.worker?.terminate();
    this.worker = null;
    this.surfaces.clear();
  }

  private post(asked: Asked, moved: Transferable[]): void {
    this.worker?.postMessage(asked, moved);
  }

  private start(): Worker | null {
    if (!this.worker && typeof Worker !== 'undefined') {
      this.worker = new Worker(new URL('./normalsworker.ts', import.meta.url), {type: 'module'});
      this.worker.onmessage = ({data}: MessageEvent<Answered>) => this.take(data);
    }
    return this.worker;
  }

  private take(answered: Answered): void {
    const surface = this.surfaces.get(answered.id);
    if (!surface) {
      return;
    }
    if (answered.kind === 'coarser') {
      surface.listener.coarser(answered.corners);
    } else {
      this.swap(surface, answered);
    }
    this.done();
  }

  private swap(surface: Surface, {id, vertices, normals}: Normals): void {
    surface.copy = vertices;
    surface.room = surface.listener.normals(normals);
    surface.busy = false;
    if (surface.stale) {
      this.ask(id);
    }
    if (![...this.surfaces.values()].some(({busy}) => busy)) {
      this.waiting.splice(0).forEach((done) => done());
    }
  }
}
