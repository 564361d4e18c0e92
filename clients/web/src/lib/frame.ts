// stream.frame as a Frame. A frame above 256 KiB comes as `parts` messages with one `seq`, in order, each with
// whole bodies or ranges of one; they are joined here. Parts of other streams may come in between.
import type {ColliderPose, Contact, Contacts, GrabSummary, Measures} from './api.generated.js';
import type {Chunk, Frame} from './types.js';

type Fields = Readonly<Record<string, unknown>>;

const SINGLE = ['positions', 'velocities', 'normals', 'rotations', 'skin'] as const;
const DOUBLE = ['positions64', 'rotations64'] as const;

function perParticle(name: string): number {
  return name.startsWith('rotations') ? 4 : 3;
}

function fieldsOf(value: unknown, what: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError(`${what} is no map`);
  }
  return value as Fields;
}

function integer(fields: Fields, name: string): number {
  const value = fields[name];
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw new TypeError(`stream.frame: ${name} is no integer`);
  }
  return value;
}

// The library asks for ext arrays; bin and plain arrays mean the same.
function array<A extends Float32Array | Float64Array>(
  Class: {new (buffer: ArrayBufferLike, offset: number, count: number): A; from(values: number[]): A} & {
    readonly BYTES_PER_ELEMENT: number;
  },
  fields: Fields,
  name: string,
  count: number,
): A | undefined {
  let value = fields[name];
  if (value === undefined || value === null) {
    return undefined;
  }
  if (value instanceof Uint8Array && value.byteLength % Class.BYTES_PER_ELEMENT === 0) {
    const bytes = value.byteOffset % Class.BYTES_PER_ELEMENT === 0 ? value : value.slice();
    value = new Class(bytes.buffer, bytes.byteOffset, bytes.byteLength / Class.BYTES_PER_ELEMENT);
  } else if (Array.isArray(value)) {
    value = Class.from(value);
  }
  if (!(value instanceof (Class as unknown as new () => A)) || value.length !== perParticle(name) * count) {
    throw new TypeError(`stream.frame: ${name} is no array of ${perParticle(name)} numbers for each of ${count} particles`);
  }
  return value;
}

/** Bytes of the codec for one tile of a body, which has one or more. */
export interface PackedChunk {
  readonly body: number;
  readonly count: number;
  readonly field: 'positions' | 'skin';
  /** Hash of the body's elements, if the chunk stands alone; it must be that of the answer of body.get. */
  readonly elementsHash: number | undefined;
  readonly tile: number;
  readonly tiles: number;
  readonly bytes: Uint8Array;
}

/** The compressed part of a frame. */
export interface Packed {
  readonly encoding: 'q16' | 'delta';
  readonly nth: number;
  readonly chunks: PackedChunk[];
}

/** A frame as it came. */
export type JoinedFrame = Frame & {
  readonly bodies: Chunk[];
  readonly packed?: Packed;
  /** Chunks that are not here because they are as in the frame before; undefined for none. */
  readonly leftOut?: number;
};

export type PackedFrame = Frame & {readonly packed: Packed; readonly leftOut?: number};

function packedChunkOf(value: unknown): PackedChunk {
  const fields = fieldsOf(value, 'stream.frame: a body');
  const field = fields['skin'] === undefined ? 'positions' : 'skin';
  const bytes = fields[field];
  const elementsHash = fields['elements_hash'] === undefined ? undefined : integer(fields, 'elements_hash');
  const tiles = fields['tiles'] === undefined ? 1 : integer(fields, 'tiles');
  const tile = fields['tile'] === undefined ? 0 : integer(fields, 'tile');
  if (!(bytes instanceof Uint8Array) || tile >= tiles || integer(fields, 'first') !== 0) {
    throw new TypeError(`stream.frame: ${field} is no chunk of the codec`);
  }
  const body = integer(fields, 'body');
  return {body, count: integer(fields, 'count'), field, elementsHash, tile, tiles, bytes};
}

// undefined: its arrays are floats.
function packedOf(fields: Fields): Packed | undefined {
  const encoding = fields['encoding'];
  if (encoding === undefined) {
    return undefined;
  }
  const nth = fields['nth'] === undefined ? 1 : integer(fields, 'nth');
  if ((encoding !== 'q16' && encoding !== 'delta') || nth === 0) {
    throw new TypeError('stream.frame: encoding is none that is known here');
  }
  return {encoding, nth, chunks: (fields['bodies'] as unknown[]).map(packedChunkOf)};
}

function chunkOf(value: unknown): Chunk {
  const fields = fieldsOf(value, 'stream.frame: a body');
  const chunk: {-readonly [K in keyof Chunk]: Chunk[K]} = {
    body: integer(fields, 'body'),
    first: integer(fields, 'first'),
    count: integer(fields, 'count'),
  };
  for (const name of SINGLE) {
    const values = array<Float32Array>(Float32Array, fields, name, chunk.count);
    if (values !== undefined) {
      chunk[name] = values;
    }
  }
  for (const name of DOUBLE) {
    const values = array<Float64Array>(Float64Array, fields, name, chunk.count);
    if (values !== undefined) {
      chunk[name] = values;
    }
  }
  return chunk;
}

export interface Part {
  readonly stream: number;
  readonly seq: number;
  readonly part: number;
  readonly parts: number;
  /** The frame, with this part's bodies alone. */
  readonly frame: JoinedFrame;
}

/** Reads the fields of one stream.frame message; throws if it is malformed. */
export function partOf(params: unknown, receivedAt: number): Part {
  const fields = fieldsOf(params, 'stream.frame');
  if (!Array.isArray(fields['bodies'])) {
    throw new TypeError('stream.frame: bodies is no list');
  }
  if (typeof fields['time'] !== 'number') {
    throw new TypeError('stream.frame: time is no number');
  }
  const packed = packedOf(fields);
  const frame: {-readonly [K in keyof JoinedFrame]: JoinedFrame[K]} = {
    world: integer(fields, 'world'),
    tick: integer(fields, 'tick'),
    substep: integer(fields, 'substep'),
    time: fields['time'],
    revision: integer(fields, 'revision'),
    seq: integer(fields, 'seq'),
    dropped: integer(fields, 'dropped'),
    receivedAt,
    bodies: packed === undefined ? fields['bodies'].map(chunkOf) : [],
  };
  if (fields['left_out'] !== undefined) {
    frame.leftOut = integer(fields, 'left_out');
  }
  if (packed !== undefined) {
    frame.packed = packed;
    frame.encoding = packed.encoding;
  }
  if (fields['epoch'] !== undefined) {
    frame.epoch = integer(fields, 'epoch');
  }
  if (typeof fields['tolerance'] === 'number') {
    frame.tolerance = fields['tolerance'];
  }
  if (fields['nth'] !== undefined) {
    frame.nth = integer(fields, 'nth');
  }
  if (fields['measures'] !== undefined) {
    frame.measures = fieldsOf(fields['measures'], 'stream.frame: measures') as unknown as Measures;
  }
  if (Array.isArray(fields['grabs'])) {
    frame.grabs = fields['grabs'] as GrabSummary[];
  }
  if (Array.isArray(fields['colliders'])) {
    frame.colliders = fields['colliders'] as ColliderPose[];
  }
  if (fields['contact'] !== undefined) {
    frame.contact = fieldsOf(fields['contact'], 'stream.frame: contact') as unknown as Contact;
  }
  if (fields['contacts'] !== undefined) {
    frame.contacts = fieldsOf(fields['contacts'], 'stream.frame: contacts') as unknown as Contacts;
  }
  if (Array.isArray(fields['asleep'])) {
    frame.asleep = fields['asleep'] as number[];
  }
  const part = integer(fields, 'part');
  const parts = integer(fields, 'parts');
  if (part >= parts) {
    throw new TypeError(`stream.frame: part ${part} of ${parts}`);
  }
  return {stream: integer(fields, 'stream'), seq: frame.seq, part, parts, frame};
}

/** Joins the parts of one stream. */
export class FrameJoiner {
  private begun: Part | null = null;
  private next = 0;

  /** Drops the frame that is incomplete. */
  reset(): void {
    this.begun = null;
  }

  /** Returns the whole frame if this was its last part. A frame with a missing part is dropped. */
  add(part: Part): JoinedFrame | null {
    if (part.part === 0) {
      this.begun = part;
      this.next = 1;
    } else if (this.begun !== null && part.seq === this.begun.seq && part.part === this.next) {
      const whole = this.begun.frame;
      // One by one: a call with all of them as arguments could overflow the stack.
      part.frame.bodies.forEach((chunk) => whole.bodies.push(chunk));
      part.frame.packed?.chunks.forEach((chunk) => whole.packed?.chunks.push(chunk));
      this.next += 1;
    } else {
      this.begun = null;
      return null;
    }
    if (this.next < part.parts) {
      return null;
    }
    const whole = this.begun.frame;
    this.begun = null;
    return part.parts === 1 ? whole : {...whole, receivedAt: part.frame.receivedAt};
  }
}
