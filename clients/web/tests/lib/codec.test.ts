// Compressed positions by weft-codec.wasm, as docs/reference/compressed.md has them: against tests/wire.
import {readFileSync} from 'node:fs';
import {beforeAll, describe, expect, it} from 'vitest';
import {loadCodec, type Codec, type CodecDecoder} from '../../src/lib/codec.js';
import {WeftError} from '../../src/lib/error.js';
import {bytesOf, numbersOf, vectors, type Vector} from './vectors.js';

const WASM = process.env['WEFT_WASM_CODEC'] ?? '';

let codec: Codec;

const chunkOf = (hex: string) => new Uint8Array(bytesOf(hex));
const floats = (numbers: (number | string)[]) => Float32Array.from(numbersOf(numbers));
// Bits, so that NaN is NaN and -0 is not 0.
const bitsOf = (values: Float32Array) => Array.from(new Uint32Array(values.buffer, values.byteOffset, values.length));

function decoderOf(vector: Vector): CodecDecoder {
  return codec.decoder({count: vector['count'], corners: vector['corners'] || 3, indices: vector['elements']});
}

function code(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof WeftError) {
      return String(error.code);
    }
    throw error;
  }
  return 'OK';
}

describe.skipIf(WASM === '')('the codec', () => {
  beforeAll(async () => {
    codec = await loadCodec(readFileSync(WASM));
  });

  it('reads q16', () => {
    for (const list of ['q16', 'q16_read']) {
      for (const vector of vectors('compressed', list)) {
        const read = codec.q16(chunkOf(vector.hex), vector['count']);
        expect(bitsOf(read), vector.name).toEqual(bitsOf(floats(vector['decoded'])));
      }
    }
    for (const vector of vectors('compressed', 'q16_refused')) {
      expect(code(() => codec.q16(chunkOf(vector.hex), vector['count'])), vector.name).toBe('INVALID');
    }
    expect(code(() => codec.q16(new Uint8Array(8), 1e9))).toBe('INVALID');
  });

  it('reads delta, also what no encoder wrote', () => {
    for (const list of ['deltas', 'read']) {
      for (const vector of vectors('compressed', list)) {
        const decoder = decoderOf(vector);
        for (const chunk of vector['chunks']) {
          const read = decoder.delta(chunkOf(chunk.hex));
          expect(bitsOf(read), `${vector.name}, ${chunk.moment}`).toEqual(bitsOf(floats(chunk.decoded)));
        }
        decoder.close();
      }
    }
  });

  it('refuses what is none, and what is cut', () => {
    for (const vector of vectors('compressed', 'refused')) {
      const decoder = codec.decoder({count: 25, corners: 3, indices: []});
      (vector['before'] ?? []).forEach((hex: string) => decoder.delta(chunkOf(hex)));
      expect(['INVALID', 'NOT_HELD'], vector.name).toContain(code(() => decoder.delta(chunkOf(vector.hex))));
      decoder.close();
    }
    const vector = vectors('compressed', 'deltas')[1]!;
    const whole = chunkOf(vector['chunks'][0].hex);
    for (let size = 0; size < whole.length; size++) {
      const decoder = decoderOf(vector);
      expect(code(() => decoder.delta(whole.subarray(0, size)))).toBe('INVALID');
      decoder.close();
    }
  });

  it('keeps what it holds where a chunk builds on something else', () => {
    const vector = vectors('compressed', 'deltas')[0]!;
    const decoder = decoderOf(vector);
    const [key, second, third] = vector['chunks'].map((chunk: {hex: string}) => chunkOf(chunk.hex));
    decoder.delta(key);
    expect(code(() => decoder.delta(third))).toBe('NOT_HELD');
    decoder.delta(second);
    expect(bitsOf(decoder.delta(third))).toEqual(bitsOf(floats(vector['chunks'][2].decoded)));
    decoder.close();
    expect(code(() => decoder.delta(key))).toBe('CLOSED');
  });

  it('refuses bodies that are none', () => {
    expect(code(() => codec.decoder({count: 3, corners: 3, indices: [0, 1, 3]}))).toBe('INVALID');
    expect(code(() => codec.decoder({count: 2 ** 25, corners: 3, indices: []}))).toBe('INVALID');
    expect(code(() => codec.decoder({count: -1, corners: 3, indices: []}))).toBe('INVALID');
    expect(code(() => codec.decoder({count: NaN, corners: 3, indices: []}))).toBe('INVALID');
    expect(code(() => codec.decoder({count: 3, corners: 7, indices: [0, 1, 2]}))).toBe('INVALID');
  });

  it('gives back the memory of what is closed', () => {
    const round = () => codec.decoder({count: 100_000, corners: 3, indices: [0, 1, 2]}).close();
    round();
    const before = codec.memory;
    for (let i = 0; i < 50; i++) {
      round();
    }
    expect(codec.memory).toBe(before);
  });

  it('comes through garbage', () => {
    const vector = vectors('compressed', 'deltas')[0]!;
    let state = 1;
    const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
    for (let round = 0; round < 400; round++) {
      const decoder = decoderOf(vector);
      for (const {hex} of vector['chunks']) {
        const bytes = chunkOf(hex);
        for (let n = random() * 3; n > 0; n--) {
          bytes[Math.floor(random() * (round % 2 === 0 ? 24 : bytes.length))] = 256 * random();
        }
        expect(['OK', 'INVALID', 'NOT_HELD']).toContain(code(() => decoder.delta(bytes)));
      }
      decoder.close();
    }
  });
});
