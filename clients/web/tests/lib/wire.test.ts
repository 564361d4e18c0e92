import {describe, expect, it} from 'vitest';
import {errorOf} from '../../src/lib/error.js';
import type {TypedArray} from '../../src/lib/values.js';
import {decode, decodeMessage, encode, encodeNotification, encodeRequest} from '../../src/lib/wire.js';
import {bytesOf, hexOf, numbersOf, vectors} from './vectors.js';

const isExt = (hex: string) => /^(c[789]|d[45678])/.test(hex);

describe('arrays', () => {
  for (const vector of vectors('arrays', 'accepted').filter((one) => isExt(one.hex))) {
    it(`decodes ${vector.name}`, () => {
      const value = decode(bytesOf(vector.hex)) as TypedArray;
      expect(ArrayBuffer.isView(value)).toBe(true);
      expect(Array.from(value)).toEqual(numbersOf(vector['numbers']));
    });
    it(`encodes ${vector.name} to the same value, in no more bytes`, () => {
      const value = decode(bytesOf(vector.hex));
      const again = encode(value);
      expect(again.byteLength).toBeLessThanOrEqual(vector.hex.length / 2);
      expect(decode(again)).toEqual(value);
    });
  }

  for (const vector of vectors('arrays', 'sent')) {
    it(`encodes ${vector.name} as the server does`, () => {
      const Class = {f32: Float32Array, f64: Float64Array, u32: Uint32Array}[vector['type'] as 'f32' | 'f64' | 'u32'];
      const numbers = Class.from(numbersOf(vector['numbers']));
      expect(hexOf(encode(numbers))).toBe(vector['ext']);
      expect(decode(bytesOf(vector['ext']))).toEqual(numbers);
    });
  }

  for (const vector of vectors('arrays', 'refused').filter((one) => /^(c[789]..1[1-8]|d[45678]1[1-8])/.test(one.hex))) {
    it(`refuses ${vector.name}`, () => {
      expect(() => decode(bytesOf(vector.hex))).toThrow(RangeError);
    });
  }

  it('views what is aligned and copies what is not', () => {
    const values = Float64Array.of(0.1, 0.2, 0.3);
    for (let before = 0; before < 16; before++) {
      const message = encode([new Array(before).fill(0), values]);
      const buffer = message.slice().buffer;
      const [, decoded] = decode(buffer) as [unknown, Float64Array];
      const payload = buffer.byteLength - values.byteLength;
      expect(decoded).toEqual(values);
      expect(decoded.buffer === buffer).toBe(payload % 8 === 0);
    }
  });

  it('sends bytes and parts of arrays as typed arrays', () => {
    expect(hexOf(encode(Uint8Array.of(1, 2, 3)))).toBe('c70312010203');
    expect(decode(encode(Float32Array.of(1, 2, 3, 4).subarray(1, 3)))).toEqual(Float32Array.of(2, 3));
  });
});

describe('envelopes', () => {
  for (const vector of vectors('envelopes', 'messages')) {
    it(vector.name, () => {
      const {kind, msgid, method} = vector as Record<string, any>;
      if (kind === 'request') {
        const [params] = vector['params'];
        // Headers longer than they need to be are the only difference.
        expect(decode(encodeRequest(msgid, method, params))).toEqual(decode(bytesOf(vector.hex)));
        expect(() => decodeMessage(bytesOf(vector.hex))).toThrow(TypeError);
      } else if (kind === 'response') {
        const {error, result} = vector as Record<string, any>;
        expect(decodeMessage(bytesOf(vector.hex))).toEqual({kind, msgid, error, result});
      } else {
        const params = vector['params'];
        expect(decodeMessage(bytesOf(vector.hex))).toEqual({kind, method, params: params[0] ?? {}});
        if (params.length === 1) {
          expect(hexOf(encodeNotification(method, params[0]))).toBe(vector.hex);
        }
      }
    });
  }

  for (const vector of vectors('envelopes', 'refused')) {
    it(`refuses ${vector.name}`, () => {
      expect(() => decodeMessage(bytesOf(vector.hex))).toThrow();
    });
  }

  it('refuses what is cut, and what has more behind it', () => {
    const whole = encode([1, 3, null, {a: [1, 2, 'three']}]);
    for (let size = 0; size < whole.byteLength; size++) {
      expect(() => decodeMessage(whole.slice(0, size))).toThrow();
    }
    expect(() => decodeMessage(Uint8Array.of(...whole, 0xc0))).toThrow();
  });

  it('leaves out what is undefined', () => {
    expect(decode(encodeRequest(1, 'world.get', {world: 1, other: undefined}))).toEqual([
      0,
      1,
      'world.get',
      [{world: 1}],
    ]);
  });
});

describe('streams of bytes', () => {
  // Limits are the receiver's own; what is whole decodes, what is cut or no MessagePack is refused.
  for (const vector of vectors('streams', 'streams')) {
    if (vector['verdict'] === 'done' && vector['consumed'] === vector.hex.length / 2) {
      it(`decodes ${vector.name}`, () => {
        expect(() => decode(bytesOf(vector.hex))).not.toThrow();
      });
    } else if (vector['verdict'] === 'bad' || vector['verdict'] === 'more' || vector.name.includes('claim')) {
      it(`refuses ${vector.name}`, () => {
        expect(() => decode(bytesOf(vector.hex))).toThrow();
      });
    }
  }
});

describe('errors', () => {
  for (const vector of vectors('errors', 'errors')) {
    it(vector.name, () => {
      const message = decodeMessage(bytesOf(vector.hex));
      if (message.kind !== 'response') {
        throw new Error('no response');
      }
      const error = errorOf(message.error, 'world.create');
      expect(error).toBeInstanceOf(Error);
      expect(error.message).toBe(vector['text']);
      expect(error.method).toBe('world.create');
      const said = (name: string) => (vector['mode'] === 'map' ? (vector[name] ?? undefined) : undefined);
      expect({...error}).toMatchObject({
        kind: vector['kind'],
        code: vector['code'],
        text: vector['text'],
        field: said('field'),
        value: said('value'),
        revision: said('revision'),
        user: said('user'),
        limit: said('limit'),
        server: said('server'),
        address: said('address'),
        web: said('web'),
      });
    });
  }

  it('makes the best of a shape that it does not know', () => {
    for (const value of [5, 'no', [], [1], [1, 2], {}, {code: 1, text: 'x'}]) {
      expect(errorOf(value)).toMatchObject({kind: 0, code: 'INTERNAL'});
    }
    expect(errorOf([1, 'no code'])).toMatchObject({kind: 1, code: 'INTERNAL', text: 'no code'});
    expect(errorOf([1, 'DENIED: two\nlines'])).toMatchObject({code: 'DENIED', text: 'two\nlines'});
  });
});
