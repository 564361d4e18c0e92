// Frames of one stream whose positions are compressed, as frames of floats.
//
//     frame ─ pieces joined ─▶ bodies known? ─ yes ─▶ decoders, one a body and one a skin ─▶ frame
//                                  │ no                        └ no moment to build on: left out, and asked for anew
//                                  └─▶ body.get; frames wait meanwhile, in their order
//
// A frame is delivered whole or not at all: those that cannot be read are counted in `dropped` of the next.
import type {BodyGetResult} from './api.generated.js';
import type {Codec, CodecDecoder, CodecTopology} from './codec.js';
import {WeftError} from './error.js';
import type {PackedChunk, PackedFrame} from './frame.js';
import type {Chunk, Frame} from './types.js';

/** What unpacking needs of its stream. */
export interface UnpackHost {
  /** body.get; null where there is no such body. */
  body(world: number, body: number, onResult: (result: BodyGetResult | null) => void): void;
  /** Asks for a frame in which each chunk stands alone. */
  askAnew(): void;
  deliver(frame: Frame): void;
  /** Nothing more can be read. */
  fail(error: WeftError): void;
}

// While bodies are asked for.
const WAITING_MAX = 64;
const WAITING_BYTES_MAX = 1 << 25;
/** Frames for which a body may be away, and is known still: out of the box that was asked for, say. */
const AWAY_MAX = 600;
const ASK_MS = 1000;

const CORNERS = {cloth: 3, soft: 4, rope: 2, points: 2} as const;

/** Both, of a body that is there. */
interface Known {
  readonly body: CodecTopology;
  readonly skin: CodecTopology | undefined;
}

interface Open {
  readonly decoder: CodecDecoder;
  readonly nth: number;
  readonly count: number;
}

function knownOf(result: BodyGetResult): Known {
  const {kind, particles, positions, triangles, tets, edges, skin} = result;
  const corners = CORNERS[kind];
  // What stands in the answer is what memory is asked for.
  if (corners === undefined || positions.length !== 3 * particles) {
    throw new TypeError('body.get was answered without a body');
  }
  const indices = kind === 'cloth' ? triangles : kind === 'soft' ? tets : kind === 'rope' ? edges : [];
  return {
    body: {count: particles, corners, indices},
    skin: skin && {count: skin.particles.length / 4, corners: 3, indices: skin.triangles},
  };
}

/** Chunks whose bytes are whole. Throws where a piece is missing. */
function joined(chunks: readonly PackedChunk[]): PackedChunk[] {
  const whole: PackedChunk[] = [];
  for (let i = 0; i < chunks.length; ) {
    const first = chunks[i]!;
    const pieces = chunks.slice(i, i + first.pieces);
    const fits = pieces.every(
      (one, at) =>
        one.piece === at &&
        one.pieces === first.pieces &&
        one.body === first.body &&
        one.count === first.count &&
        one.field === first.field,
    );
    if (!fits || pieces.length !== first.pieces) {
      throw new TypeError('stream.frame: a piece is missing');
    }
    whole.push(first.pieces === 1 ? first : {...first, bytes: concatenated(pieces)});
    i += first.pieces;
  }
  return whole;
}

function concatenated(pieces: readonly PackedChunk[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((size, one) => size + one.bytes.byteLength, 0));
  let at = 0;
  for (const {bytes: piece} of pieces) {
    bytes.set(piece, at);
    at += piece.byteLength;
  }
  return bytes;
}

function sizeOf(frame: PackedFrame): number {
  return frame.packed.chunks.reduce((size, chunk) => size + chunk.bytes.byteLength, 0);
}

export class Unpacker {
  /** null: there is none, undefined: it is asked for. */
  private readonly bodies = new Map<number, Known | null | undefined>();
  private readonly open = new Map<string, Open>();
  private readonly seen = new Map<number, number>(); // bodies, and the frame that had them last
  private waiting: PackedFrame[] = [];
  private waitingBytes = 0;
  private lost = 0;
  private lostBehind = 0; // what waits
  private count = 0;
  private life = 0; // answers to an earlier one are no news
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

  /** Forgets all: the stream begins anew, or is over. */
  reset(): void {
    this.life += 1;
    this.open.forEach(({decoder}) => decoder.close());
    this.open.clear();
    this.bodies.clear();
    this.seen.clear();
    this.waiting = [];
    this.waitingBytes = 0;
    this.lost = 0;
    this.lostBehind = 0;
    this.askedAt = -Infinity;
  }

  // Whether all its bodies are known; asks for those that are not.
  private knows(frame: PackedFrame): boolean {
    if (frame.packed.encoding === 'q16') {
      return true;
    }
    for (const {body} of frame.packed.chunks) {
      if (!this.bodies.has(body)) {
        this.ask(frame.world, body);
      }
    }
    return frame.packed.chunks.every(({body}) => this.bodies.get(body) !== undefined);
  }

  private ask(world: number, body: number): void {
    const life = this.life;
    this.bodies.set(body, undefined);
    this.host.body(world, body, (result) => {
      if (life !== this.life) {
        return;
      }
      this.bodies.set(body, result && knownOf(result));
      this.drain();
    });
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
    const {packed, ...rest} = frame;
    this.count += 1;
    let bodies: Chunk[] | null = [];
    for (const chunk of joined(packed.chunks)) {
      this.seen.set(chunk.body, this.count);
      const positions = this.positionsOf(chunk, packed.encoding, packed.nth);
      // All decoders go on, also where one cannot.
      if (positions === null) {
        bodies = null;
      } else if (positions !== undefined) {
        bodies?.push({body: chunk.body, first: 0, count: chunk.count, [chunk.field]: positions});
      }
    }
    this.sweep();
    if (bodies === null) {
      this.lost += 1 + frame.dropped;
      this.askAnew();
      return;
    }
    const dropped = frame.dropped + this.lost;
    this.lost = 0;
    this.host.deliver({...rest, dropped, bodies});
  }

  // null: it cannot be read; undefined: it is of a body that is gone.
  private positionsOf(chunk: PackedChunk, encoding: 'q16' | 'delta', nth: number): Float32Array | null | undefined {
    try {
      if (encoding === 'q16') {
        return this.codec.q16(chunk.bytes, chunk.count);
      }
      const known = this.bodies.get(chunk.body);
      return known ? this.decoderOf(chunk, known, nth).delta(chunk.bytes) : undefined;
    } catch (error) {
      if (error instanceof WeftError && error.kind === 1) {
        return null;
      }
      throw error;
    }
  }

  private decoderOf(chunk: PackedChunk, known: Known, nth: number): CodecDecoder {
    const topology = chunk.field === 'skin' ? known.skin : known.body;
    const count = topology === undefined ? -1 : Math.ceil(topology.count / nth);
    const key = `${chunk.field} ${chunk.body}`;
    const open = this.open.get(key);
    if (topology === undefined || chunk.count !== count) {
      throw new WeftError({kind: 1, code: 'INVALID', text: `${chunk.count} vertices of a body that has others`});
    }
    if (open !== undefined && open.nth === nth) {
      return open.decoder;
    }
    open?.decoder.close();
    this.open.delete(key);
    const decoder = this.codec.decoder(nth === 1 ? topology : {count, corners: 2, indices: []});
    this.open.set(key, {decoder, nth, count});
    return decoder;
  }

  // Of bodies that were away for long, and so will begin with a key.
  private sweep(): void {
    if (this.count % AWAY_MAX !== 0) {
      return;
    }
    for (const [body, last] of this.seen) {
      if (this.count - last >= AWAY_MAX) {
        this.seen.delete(body);
        this.bodies.delete(body);
        for (const key of [`positions ${body}`, `skin ${body}`]) {
          this.open.get(key)?.decoder.close();
          this.open.delete(key);
        }
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
