import {describe, expect, it} from 'vitest';
import {FrameJoiner, partOf, type Part} from '../../src/lib/frame.js';
import type {Chunk} from '../../src/lib/types.js';
import {decodeMessage} from '../../src/lib/wire.js';
import {bytesOf, vectors} from './vectors.js';

const ARRAYS = ['positions', 'positions64', 'velocities', 'normals', 'rotations', 'rotations64'] as const;

function partOfBytes(bytes: ArrayBuffer): Part {
  const message = decodeMessage(bytes);
  if (message.kind !== 'notification' || message.method !== 'stream.frame') {
    throw new Error('no frame');
  }
  return partOf(message.params, 5);
}

describe('vectors', () => {
  for (const vector of vectors('frames', 'frames')) {
    it(vector.name, () => {
      const bytes = bytesOf(vector.hex);
      const {stream, seq, part, parts, frame} = partOfBytes(bytes);
      expect({stream, seq, dropped: frame.dropped}).toEqual({
        stream: vector['head'].stream,
        seq: vector['head'].seq,
        dropped: vector['head'].dropped,
      });
      expect({world: frame.world, tick: frame.tick, substep: frame.substep, time: frame.time, part, parts}).toEqual({
        world: vector['fields'].world,
        tick: vector['fields'].tick,
        substep: vector['fields'].substep,
        time: vector['fields'].time,
        part: vector['fields'].part,
        parts: vector['fields'].parts,
      });
      expect(frame.revision).toBe(vector['fields'].revision);
      expect(frame.receivedAt).toBe(5);
      expect(frame.bodies.length).toBe(vector['chunks'].length);
      frame.bodies.forEach((chunk, i) => {
        const wanted = vector['chunks'][i];
        expect([chunk.body, chunk.first, chunk.count]).toEqual([wanted.body, wanted.first, wanted.count]);
        for (const name of ARRAYS) {
          expect(name in chunk, name).toBe(name in wanted);
          if (!(name in wanted)) {
            continue;
          }
          expect(Array.from(chunk[name]!)).toEqual(wanted[name]);
          const within = chunk[name]!.byteOffset - wanted.offset;
          if (vector['arrays'] !== 'plain') {
            expect(chunk[name]!.buffer === bytes, `${name} is a view`).toBe(true);
            expect(within > 0 && within + chunk[name]!.byteLength <= wanted.size).toBe(true);
          }
        }
        expect(Object.keys(chunk).some((key) => key.startsWith('_'))).toBe(false);
      });
    });
  }

  for (const vector of vectors('frames', 'heads')) {
    it(`a head alone is no message: ${vector.name}`, () => {
      expect(() => decodeMessage(bytesOf(vector.hex))).toThrow();
    });
  }
});

describe('what is no frame', () => {
  const good = () => ({
    stream: 1,
    seq: 0,
    dropped: 0,
    world: 1,
    tick: 1,
    substep: 0,
    time: 0,
    revision: 0,
    part: 0,
    parts: 1,
    bodies: [{body: 1, first: 0, count: 1, positions: Float32Array.of(1, 2, 3)}] as unknown,
  });
  const wrong: [string, Record<string, unknown>][] = [
    ['no bodies', {bodies: undefined}],
    ['bodies of a map', {bodies: {}}],
    ['a body of nothing', {bodies: [null]}],
    ['a negative count', {bodies: [{body: 1, first: 0, count: -1}]}],
    ['too few numbers', {bodies: [{body: 1, first: 0, count: 2, positions: Float32Array.of(1, 2, 3)}]}],
    ['three numbers for a rotation', {bodies: [{body: 1, first: 0, count: 1, rotations: Float32Array.of(0, 0, 1)}]}],
    ['numbers of another type', {bodies: [{body: 1, first: 0, count: 1, positions: Float64Array.of(1, 2, 3)}]}],
    ['bytes that are no numbers', {bodies: [{body: 1, first: 0, count: 1, positions: new Uint8Array(11)}]}],
    ['a tick of text', {tick: '1'}],
    ['a fraction of a stream', {stream: 0.5}],
    ['an epoch of text', {epoch: '2'}],
    ['no time', {time: null}],
    ['a part beyond the last', {part: 1}],
    ['no parts', {parts: 0}],
    ['measures of a number', {measures: 1}],
    ['contact of a list', {contact: []}],
  ];
  it('takes the good one', () => {
    expect(partOf(good(), 0).frame.bodies[0]!.positions).toEqual(Float32Array.of(1, 2, 3));
  });
  it('takes an epoch where there is one', () => {
    expect(partOf({...good(), epoch: 3}, 0).frame.epoch).toBe(3);
    expect(partOf(good(), 0).frame).not.toHaveProperty('epoch');
  });
  it('takes a skin', () => {
    const skin = Float32Array.of(1, 2, 3, 4, 5, 6);
    const chunk = partOf({...good(), bodies: [{body: 1, first: 7, count: 2, skin}]}, 0).frame.bodies[0]!;
    expect(chunk).toEqual({body: 1, first: 7, count: 2, skin});
    expect(() => partOf({...good(), bodies: [{body: 1, first: 7, count: 3, skin}]}, 0)).toThrow(TypeError);
  });
  for (const [name, fields] of wrong) {
    it(name, () => {
      expect(() => partOf({...good(), ...fields}, 0)).toThrow(TypeError);
    });
  }
});

describe('parts', () => {
  const part = (seq: number, number: number, parts: number): Part => ({
    stream: 1,
    seq,
    part: number,
    parts,
    frame: {
      world: 1,
      tick: seq,
      substep: 0,
      time: 0,
      revision: 0,
      seq,
      dropped: 0,
      receivedAt: number,
      bodies: [{body: 1, first: 10 * number, count: 10}] as Chunk[],
    },
  });
  const firsts = (joiner: FrameJoiner, ...parts: Part[]) =>
    parts.map((one) => joiner.add(one)?.bodies.map((chunk) => chunk.first) ?? null);

  it('come out together, in order', () => {
    const joiner = new FrameJoiner();
    expect(firsts(joiner, part(0, 0, 3), part(0, 1, 3), part(0, 2, 3))).toEqual([null, null, [0, 10, 20]]);
    expect(firsts(joiner, part(1, 0, 1))).toEqual([[0]]);
  });

  it('the frame came when its last part did', () => {
    const joiner = new FrameJoiner();
    joiner.add(part(0, 0, 2));
    expect(joiner.add(part(0, 1, 2))?.receivedAt).toBe(1);
  });

  it('a frame that misses one is given up, the next is whole', () => {
    const joiner = new FrameJoiner();
    expect(firsts(joiner, part(0, 0, 3), part(0, 2, 3), part(0, 1, 3))).toEqual([null, null, null]);
    expect(firsts(joiner, part(1, 1, 2))).toEqual([null]);
    expect(firsts(joiner, part(1, 0, 2), part(2, 1, 2), part(2, 0, 2), part(2, 1, 2))).toEqual([
      null,
      null,
      null,
      [0, 10],
    ]);
    joiner.add(part(3, 0, 2));
    joiner.reset();
    expect(firsts(joiner, part(3, 1, 2))).toEqual([null]);
  });
});
