// A take: the things that were recorded, and where they were at each moment.
//
//     frame = positions of the bodies, body after body | poses of the colliders, 7 numbers each
//     body of pieces = x y z of each piece, then x y z w of each piece
//     pose = x y z, quaternion x y z w
//
// Metres, y up, 32-bit floats, as clients/record has them. Frames are kept as blobs, which a browser may hold on its
// disk, so that a long take does not fill the memory of the page.

/** One of the meshes that came with a body: linear red, green, blue and opacity. */
export interface Material {
  readonly name: string;
  readonly color: readonly number[];
  readonly metallic: number;
  readonly roughness: number;
}

export interface Look {
  /** u, v of each corner. */
  readonly uvs?: Float32Array;
  /** x, y, z at each corner. */
  readonly normals?: Float32Array;
  /** Material of each triangle. */
  readonly triangleMaterials?: Uint32Array;
  readonly materials: readonly Material[];
}

/** A mesh in a frame of its own. */
export interface Shape {
  readonly points: Float32Array;
  readonly normals: Float32Array;
  readonly triangles: Uint32Array;
}

/** A cloth that tears has its own particles. The others split from these, and it is known from which and when. */
export interface Torn {
  readonly own: number;
  readonly origins: Uint32Array;
  /** The first tick with each; before it, it is drawn where its origin is. */
  readonly ticks: readonly number[];
}

export interface TakenBody {
  readonly name: string;
  /** Points in a frame; of a body of pieces, its pieces. */
  readonly count: number;
  readonly triangles: Uint32Array;
  /** Pairs of points; only of a body without triangles. */
  readonly edges: Uint32Array;
  readonly look?: Look;
  /** The shape of each piece of a rigid body. */
  readonly piece?: Shape;
  readonly torn?: Torn;
}

export interface TakenCollider {
  readonly name: string;
  readonly kind: 'plane' | 'sphere' | 'capsule' | 'box' | 'cylinder' | 'convex' | 'height_field';
  readonly radius: number;
  readonly length: number;
  readonly half_extents: readonly number[];
  /** Only hulls and height fields have these. */
  readonly vertices: Float32Array;
  readonly triangles: Uint32Array;
}

export interface TakenScene {
  readonly tickRate: number;
  readonly bodies: readonly TakenBody[];
  readonly colliders: readonly TakenCollider[];
}

export const POSE = 7;
const BATCH_BYTES = 8 << 20;

export function floatsOf({count, piece}: TakenBody): number {
  return (piece ? POSE : 3) * count;
}

interface Batch {
  readonly from: number;
  readonly blob: Blob;
}

export class Take {
  readonly ticks: number[] = [];
  /** Numbers of all bodies in a frame; poses follow them. */
  readonly bodyFloats: number;
  readonly frameFloats: number;
  /** Whether each collider has moved. */
  readonly moves: boolean[];
  private first: Float32Array | null = null;
  private readonly batches: Batch[] = [];
  private waiting: Float32Array[] = [];

  /** The scene may be replaced by one with the triangles of cloths that tore since. */
  constructor(public scene: TakenScene) {
    this.bodyFloats = scene.bodies.reduce((sum, body) => sum + floatsOf(body), 0);
    this.frameFloats = this.bodyFloats + POSE * scene.colliders.length;
    this.moves = scene.colliders.map(() => false);
  }

  get count(): number {
    return this.ticks.length;
  }

  /** Seconds of the world's time. */
  time(index: number): number {
    return this.ticks[index] / this.scene.tickRate;
  }

  /** The take keeps the array. */
  add(tick: number, frame: Float32Array): void {
    const bad = frame.length === this.frameFloats ? frame.findIndex((value) => !Number.isFinite(value)) : 0;
    if (bad >= 0) {
      throw new Error(`tick ${tick} has a coordinate that is no number`);
    }
    this.first ??= frame;
    const {first} = this;
    this.moves.forEach((moves, c) => {
      const at = this.bodyFloats + POSE * c;
      for (let k = at; !moves && k < at + POSE; k++) {
        this.moves[c] ||= first[k] !== frame[k];
      }
    });
    this.ticks.push(tick);
    this.waiting.push(frame);
    if (this.waiting.length * this.frameFloats * 4 >= BATCH_BYTES) {
      this.pack();
    }
  }

  async read(index: number): Promise<Float32Array> {
    const kept = this.count - this.waiting.length;
    if (index >= kept) {
      return this.whole(this.waiting[index - kept].slice(), this.ticks[index]);
    }
    let b = this.batches.length - 1;
    while (this.batches[b].from > index) {
      b--;
    }
    const {from, blob} = this.batches[b];
    const size = 4 * this.frameFloats;
    const bytes = await blob.slice((index - from) * size, (index - from + 1) * size).arrayBuffer();
    return this.whole(new Float32Array(bytes), this.ticks[index]);
  }

  // Puts particles that have not split off yet where they will.
  private whole(frame: Float32Array, tick: number): Float32Array {
    let at = 0;
    for (const body of this.scene.bodies) {
      const {count, torn} = body;
      for (let spare = torn?.own ?? count; spare < count; spare++) {
        if (torn && tick < (torn.ticks[spare - torn.own] ?? Infinity)) {
          const origin = at + 3 * (torn.origins[spare - torn.own] ?? 0);
          frame.copyWithin(at + 3 * spare, origin, origin + 3);
        }
      }
      at += floatsOf(body);
    }
    return frame;
  }

  private pack(): void {
    this.batches.push({from: this.count - this.waiting.length, blob: new Blob(this.waiting as BlobPart[])});
    this.waiting = [];
  }
}
