// Messages as bytes: MessagePack-RPC with typed arrays as ext 0x11 … 0x18, little-endian.
//
// A typed array is decoded as a view into the message where its payload lies at a multiple of its item's size,
// as those of frames do (docs/concepts/streaming.md), and as a copy elsewhere. On the way out every typed array
// is an ext, bytes too; plain arrays stay plain.
import {Decoder, Encoder, ExtensionCodec} from '@msgpack/msgpack';
import {LIMITS} from './api.generated.js';
import type {TypedArray} from './values.js';

const ARRAYS = [
  [0x11, Int8Array],
  [0x12, Uint8Array],
  [0x13, Int16Array],
  [0x14, Uint16Array],
  [0x15, Int32Array],
  [0x16, Uint32Array],
  [0x17, Float32Array],
  [0x18, Float64Array],
] as const;

type ArrayClass = (typeof ARRAYS)[number][1];

// The order of bytes on the wire is that of every machine that JavaScript is met on but a few.
export const isLittleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

function view(Class: ArrayClass, data: Uint8Array): TypedArray {
  const itemSize = Class.BYTES_PER_ELEMENT;
  if (data.byteLength % itemSize !== 0) {
    throw new RangeError(`an array of ${data.byteLength} bytes, with items of ${itemSize}`);
  }
  const count = data.byteLength / itemSize;
  if (data.byteOffset % itemSize === 0) {
    return new Class(data.buffer as ArrayBuffer, data.byteOffset, count);
  }
  return new Class(data.slice().buffer, 0, count);
}

const codec = new ExtensionCodec();
for (const [type, Class] of ARRAYS) {
  codec.register({
    type,
    encode: (value) => {
      if (!(value instanceof Class)) {
        return null;
      }
      return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    },
    decode: (data) => view(Class, data),
  });
}

const encoder = new Encoder({extensionCodec: codec, ignoreUndefined: true});
// A few bytes may claim any length: it is bounded before an array is made for it.
const decoder = new Decoder({
  extensionCodec: codec,
  maxArrayLength: LIMITS.message_nodes.value,
  maxMapLength: LIMITS.message_nodes.value,
});

/** One value as bytes of their own. Fields that are undefined are left out. */
export function encode(value: unknown): Uint8Array {
  return encoder.encode(value);
}

/** The value of one whole message. */
export function decode(bytes: ArrayBuffer | Uint8Array): unknown {
  return decoder.decode(bytes);
}

export type Message =
  | {readonly kind: 'response'; readonly msgid: number; readonly error: unknown; readonly result: unknown}
  | {readonly kind: 'notification'; readonly method: string; readonly params: unknown};

function isId(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 0xffffffff;
}

export function encodeRequest(msgid: number, method: string, params: unknown): Uint8Array {
  return encode([0, msgid, method, params === undefined ? [] : [params]]);
}

export function encodeNotification(method: string, params: unknown): Uint8Array {
  return encode([2, method, params === undefined ? [] : [params]]);
}

/** What a server sends; throws if it is neither a response nor a notification. */
export function decodeMessage(bytes: ArrayBuffer | Uint8Array): Message {
  const value = decode(bytes);
  if (Array.isArray(value)) {
    if (value.length === 4 && value[0] === 1 && isId(value[1])) {
      return {kind: 'response', msgid: value[1], error: value[2], result: value[3]};
    }
    if (value.length === 3 && value[0] === 2 && typeof value[1] === 'string' && Array.isArray(value[2])) {
      return {kind: 'notification', method: value[1], params: value[2].length > 0 ? value[2][0] : {}};
    }
  }
  throw new TypeError('neither a response nor a notification');
}
