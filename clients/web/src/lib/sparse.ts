// Adds to sparse frames of floats the chunks that they leave out, which are as in the frame before.
//
// The reader of a frame may change its arrays. So copies of what was shown last are kept.
import type {Chunk, Frame} from './types.js';

const ARRAYS = ['positions', 'positions64', 'velocities', 'normals', 'rotations', 'rotations64', 'skin'] as const;

function placeOf({body, first, skin}: Chunk): string {
  return `${skin === undefined ? 'positions' : 'skin'} ${body} ${first}`;
}

function byPlace(one: Chunk, other: Chunk): number {
  const skins = Number(one.skin !== undefined) - Number(other.skin !== undefined);
  return one.body - other.body || skins || one.first - other.first;
}

function copyOf(chunk: Chunk): Chunk {
  const copy = {...chunk} as Record<string, unknown>;
  for (const name of ARRAYS) {
    const values = chunk[name];
    if (values !== undefined) {
      copy[name] = values.slice();
    }
  }
  return copy as unknown as Chunk;
}

export class Filler {
  private shown = new Map<string, Chunk>();
  private seq = -Infinity;
  private gap = false;
  private lost = 0;

  /** The whole frame; null if it builds on one that is missing, so that a frame that stands alone is needed. */
  take(frame: Frame, leftOut: number): Frame | null {
    this.gap = leftOut > 0 && (this.gap || frame.seq !== this.seq + 1);
    this.seq = frame.seq;
    if (this.gap) {
      this.lost += 1 + frame.dropped;
      return null;
    }
    const came = new Map(frame.bodies.map((chunk) => [placeOf(chunk), copyOf(chunk)]));
    const bodies = [...frame.bodies];
    if (leftOut > 0) {
      for (const [place, chunk] of this.shown) {
        if (!came.has(place)) {
          came.set(place, chunk);
          bodies.push(copyOf(chunk));
        }
      }
      bodies.sort(byPlace);
    }
    this.shown = came;
    const dropped = frame.dropped + this.lost;
    this.lost = 0;
    return {...frame, dropped, bodies};
  }
}
