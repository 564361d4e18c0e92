// Decodes the frames of one stream with compressed positions into frames of floats.
//
//     frame ─▶ bodies known? ─ yes ─▶ decoders, one for each body and skin ─▶ tiles joined ─▶ frame
//                 │ no                        └ no moment to build on: left out, and a key is asked for
//                  └─▶ body.get; frames wait meanwhile, in their order
//
// A body that comes back under its id may have other elements. A chunk that stands alone carries a hash of the
// elements; if it differs from the known one, the body is asked for again.
//
// Sparse frames leave out tiles that are as in the frame before, so copies of what the last frame showed are kept.
//
// A frame is delivered as a whole or not at all: frames that cannot be decoded are counted in `dropped` of the next.
import type {Codec, CodecDecoder, CodecTopology} from './codec.js';
import {WeftError} from './error.js';
import type {PackedChunk, PackedFrame} from './frame.js';
import type {Chunk, Frame, KnownBody} from './types.js';

/** The functions of the stream that unpacking uses. */
export interface UnpackHost {
  /** The known topology of a body, or null. */
  known(body: number): KnownBody | null;
  /** Calls body.get; null if the body does not exist. */
  body(world: number, body: number, onResult: (result: KnownBody | null) => void): void;
  /** Asks for a frame in which each chunk stands alone. */
  askAnew(): void;
  deliver(frame: Frame): void;
  /** Nothing more can be decoded. */
  fail(error: WeftError): void;
}

// Frames that wait while bodies are asked for.
const WAITING_MAX = 64;
const WAITING_BYTES_MAX = 1 << 25;
/** Number of frames that a body may be absent and still be kept: outside the requested box, for example. */
const AWAY_MAX = 600;
const ASK_MS = 1000;

const CORNERS = {cloth: 3, soft: 4, rope: 2, points: 2, rigid: 2} as const;

/** Body and skin of an existing body. */
interface Known {
  readonly elementsHash: number;
  readonly body: CodecTopology;
  readonly skin: CodecTopology | undefined;
}

/** The state of a body's topology. */
interface Entry {
  /** null: the body does not exist; undefined: it was asked for. */
  known: Known | null | undefined;
  /** The hash for which it was asked. The answer may have another, if the body changed meanwhile. */
  wanted: number | undefined;
}

interface Open {
  readonly decoder: CodecDecoder;
  readonly nth: number;
  readonly count: number;
}

function knownOf(result: KnownBody): Known {
  const {kind, particles, positions, triangles, tets, edges, skin, elements_hash: elementsHash} = result;
  const corners = CORNERS[kind];
  // Memory is allocated for the arrays in the answer.
  if (corners === undefined || positions.length !== 3 * particles) {
    throw new TypeError('body.get was answered without a body');
  }
  const indices = kind === 'cloth' ? triangles : kind === 'soft' ? tets : kind === 'rope' ? edges : [];
  return {
    elementsHash,
    body: {count: particles, corners, indices},
    skin: skin && {count: skin.particles.length / 4, corners: 3, indices: skin.triangles},
  };
}

/** Whether the hash of a chunk differs from the known elements; a body that does not exist has none. */
function isAnother(known: Known | null | undefined, elementsHash: number | undefined): boolean {
  return known !== undefined && elementsHash !== undefined && known?.elementsHash !== elementsHash;
}

function keyOf({field, body}: {readonly field: string; readonly body: number}): string {
  return `${field} ${body}`;
}

/** Whether the body's topology is needed to decode it. */
function needsBody(chunk: PackedChunk, encoding: 'q16' | 'delta'): boolean {
  return encoding === 'delta' || chunk.tiles > 1;
}

/** A body or skin in a frame, whose tiles come one by one. */
class Whole {
  readonly values: Float32Array;
  private readonly came = new Set<number>();

  /** Tiles that are missing were not sent. */
  constructor(count: number) {
    this.values = new Float32Array(3 * count).fill(NaN);
  }

  add(tile: number, vertices: Uint32Array, values: Float32Array): void {
    if (this.came.has(tile)) {
      throw new TypeError(`stream.frame: tile ${tile} came twice`);
    }
    this.came.add(tile);
    vertices.forEach((vertex, i) => {
      this.values[3 * vertex] = values[3 * i]!;
      this.values[3 * vertex + 1] = values[3 * i + 1]!;
      this.values[3 * vertex + 2] = values[3 * i + 2]!;
    });
  }
}

/** What a chunk was decoded to. */
interface Tile {
  readonly body: number;
  readonly field: 'positions' | 'skin';
  readonly tile: number;
  /** The vertices of the tile, or null if it is the whole body or skin. */
  readonly vertices: Uint32Array | null;
  /** Vertices of the whole. */
  readonly count: number;
  readonly values: Float32Array;
}

function byPlace(one: Tile, other: Tile): number {
  const fields = Number(one.field === 'skin') - Number(other.field === 'skin');
  return one.body - other.body || fields || one.tile - other.tile;
}

function placeOf({field, body, tile}: {readonly field: string; readonly body: number; readonly tile: number}): string {
  return `${field} ${body} ${tile}`;
}

function join(tiles: readonly Tile[]): Chunk[] {
  const wholes = new Map<string, Whole>();
  const chunks: Chunk[] = [];
  for (const {body, field, tile, vertices, count, values} of tiles) {
    const begun = wholes.get(keyOf({field, body}));
    const whole = begun ?? (vertices && new Whole(count));
    if (whole && vertices) {
      whole.add(tile, vertices, values);
      wholes.set(keyOf({field, body}), whole);
    }
    if (begun === undefined) {
      chunks.push({body, first: 0, count, [field]: whole ? whole.values : values});
    }
  }
  return chunks;
}

function sizeOf(frame: PackedFrame): number {
  return frame.packed.chunks.reduce((size, chunk) => size + chunk.bytes.byteLength, 0);
}

export class Unpacker {
  private readonly bodies = new Map<number, Entry>();
  private readonly open = new Map<string, Open>();
  private readonly seen = new Map<number, number>(); // body to the last frame that had it
  private shown = new Map<string, Tile>(); // the last frame of delta
  private failed = new Set<string>(); // tiles whose last chunk could not be decoded
  private seq = 0; // of the last frame
  private gap = false; // a frame is missing, and a sparse frame after it leaves out what that may have had
  private waiting: PackedFrame[] = [];
  private waitingBytes = 0;
  private lost = 0;
  private lostBehind = 0; // dropped frames behind those that wait
  private count = 0;
  private askedAt = -Infinity;

  constructor(
    private readonly codec: Codec,
    private readonly host: UnpackHost,
  ) {}

  take(frame: PackedFrame): void {
    if (this.waiting.length === 0 && this.knows(frame)) {
      this.unpack(frame);
      return;
    }
    const size = sizeOf(frame);
    if (this.waiting.length === WAITING_MAX || this.waitingBytes + size > WAITING_BYTES_MAX) {
      this.lostBehind += 1 + frame.dropped;
      return;
    }
    this.waiting.push(frame);
    this.waitingBytes += size;
  }

  /** Takes an uncompressed frame: after it, compression starts again. Adds the frames that waited to `dropped`. */
  pass(frame: Frame): Frame {
    const waiting = this.waiting.reduce((sum, {dropped}) => sum + 1 + dropped, 0);
    const dropped = frame.dropped + this.lost + waiting + this.lostBehind;
    this.close();
    return dropped === frame.dropped ? frame : {...frame, dropped};
  }

  /** Forgets everything: the stream starts again, or is over. */
  reset(): void {
    this.close();
    this.bodies.clear();
    this.seen.clear();
    this.askedAt = -Infinity;
  }

  private close(): void {
    this.open.forEach(({decoder}) => decoder.close());
    this.open.clear();
    this.shown.clear();
    this.failed.clear();
    this.gap = false;
    this.waiting = [];
    this.waitingBytes = 0;
    this.lost = 0;
    this.lostBehind = 0;
  }

  // Whether all its bodies are known; asks for the others.
  private knows(frame: PackedFrame): boolean {
    const needed = frame.packed.chunks.filter((chunk) => needsBody(chunk, frame.packed.encoding));
    for (const {body, elementsHash: wanted} of needed) {
      const entry = this.bodies.get(body);
      if (entry === undefined || (isAnother(entry.known, wanted) && entry.wanted !== wanted)) {
        this.ask(frame.world, body, wanted);
      }
    }
    return needed.every(({body}) => this.bodies.get(body)?.known !== undefined);
  }

  private ask(world: number, body: number, wanted: number | undefined): void {
    const told = this.host.known(body);
    const known = told && knownOf(told);
    this.forget(body);
    if (known !== null && !isAnother(known, wanted)) {
      this.bodies.set(body, {known, wanted});
      return;
    }
    const entry: Entry = {known: undefined, wanted};
    this.bodies.set(body, entry);
    this.host.body(world, body, (result) => {
      if (this.bodies.get(body) === entry) {
        entry.known = result && knownOf(result);
        this.drain();
      }
    });
  }

  private forget(body: number): void {
    this.bodies.delete(body);
    for (const key of [keyOf({field: 'positions', body}), keyOf({field: 'skin', body})]) {
      this.open.get(key)?.decoder.close();
      this.open.delete(key);
    }
  }

  private drain(): void {
    while (this.waiting.length > 0 && this.knows(this.waiting[0]!)) {
      const frame = this.waiting.shift()!;
      this.waitingBytes -= sizeOf(frame);
      this.unpack(frame);
    }
    if (this.waiting.length === 0) {
      this.lost += this.lostBehind;
      this.lostBehind = 0;
    }
  }

  private unpack(frame: PackedFrame): void {
    try {
      this.read(frame);
    } catch (error) {
      if (!(error instanceof WeftError)) {
        throw error;
      }
      this.host.fail(error);
    }
  }

  private read(frame: PackedFrame): void {
    const {packed, leftOut = 0, ...rest} = frame;
    this.count += 1;
    const tiles: Tile[] = [];
    const failed = new Set<string>();
    for (const chunk of packed.chunks) {
      this.seen.set(chunk.body, this.count);
      const tile = this.tileOf(chunk, packed.encoding, packed.nth);
      // All decoders go on, even if one cannot.
      if (tile === null) {
        failed.add(placeOf(chunk));
      } else if (tile !== undefined) {
        tiles.push(tile);
      }
    }
    this.gap = leftOut > 0 && (this.gap || frame.seq !== this.seq + 1);
    this.seq = frame.seq;
    this.keep(tiles, failed, leftOut);
    this.sweep();
    if (failed.size > 0 || this.gap) {
      this.lost += 1 + frame.dropped;
      this.askAnew();
      return;
    }
    const dropped = frame.dropped + this.lost;
    this.lost = 0;
    this.host.deliver({...rest, dropped, bodies: join(tiles)});
  }

  // Adds what a sparse frame left out to its tiles and to what failed, and keeps what it shows for the next.
  private keep(tiles: Tile[], failed: Set<string>, leftOut: number): void {
    const came = new Map<string, Tile>(
      tiles.map((tile) => [placeOf(tile), {...tile, values: tile.values.slice()}]),
    );
    if (leftOut > 0) {
      [...this.failed].filter((place) => !came.has(place)).forEach((place) => failed.add(place));
      for (const [place, tile] of this.shown) {
        if (!came.has(place)) {
          this.seen.set(tile.body, this.count);
          tiles.push({...tile, values: tile.values.slice()});
          came.set(place, tile);
        }
      }
      tiles.sort(byPlace);
    }
    this.shown = came;
    this.failed = failed;
  }

  // null: it cannot be decoded; undefined: the body was removed.
  private tileOf(chunk: PackedChunk, encoding: 'q16' | 'delta', nth: number): Tile | null | undefined {
    const {body, field, tile, tiles, bytes} = chunk;
    try {
      if (!needsBody(chunk, encoding)) {
        const values = this.codec.q16(bytes, chunk.count);
        return {body, field, tile, vertices: null, count: chunk.count, values};
      }
      const entry = this.bodies.get(body)!;
      const known = entry.known ?? null;
      if (isAnother(known, chunk.elementsHash)) {
        entry.wanted = undefined; // the next chunk that stands alone asks again
        return known === null ? undefined : null;
      }
      if (known === null) {
        return undefined;
      }
      const {decoder, count} = this.openOf(chunk, known, nth);
      const values = encoding === 'q16' ? this.codec.q16(bytes, chunk.count) : decoder.delta(bytes, tile);
      return {body, field, tile, vertices: tiles === 1 ? null : decoder.vertices(tile), count, values};
    } catch (error) {
      if (error instanceof WeftError && error.kind === 1) {
        return null;
      }
      throw error;
    }
  }

  private openOf(chunk: PackedChunk, known: Known, nth: number): Open {
    const topology = chunk.field === 'skin' ? known.skin : known.body;
    const key = keyOf(chunk);
    let open = this.open.get(key);
    if (topology === undefined) {
      throw new WeftError({kind: 1, code: 'INVALID', text: `vertices of a ${chunk.field} that there is not`});
    }
    if (open === undefined || open.nth !== nth) {
      open?.decoder.close();
      this.open.delete(key);
      const count = Math.ceil(topology.count / nth);
      open = {decoder: this.codec.decoder(nth === 1 ? topology : {count, corners: 2, indices: []}), nth, count};
      this.open.set(key, open);
    }
    const {decoder} = open;
    if (chunk.tiles !== decoder.tiles || chunk.count !== decoder.vertices(chunk.tile).length) {
      throw new WeftError({kind: 1, code: 'INVALID', text: `${chunk.count} vertices of a body that has others`});
    }
    return open;
  }

  // Frees bodies that were away for long, and so will begin with a key.
  private sweep(): void {
    if (this.count % AWAY_MAX !== 0) {
      return;
    }
    for (const [body, last] of this.seen) {
      if (this.count - last >= AWAY_MAX) {
        this.seen.delete(body);
        this.forget(body);
      }
    }
  }

  private askAnew(): void {
    const now = performance.now();
    if (now - this.askedAt >= ASK_MS) {
      this.askedAt = now;
      this.host.askAnew();
    }
  }
}
