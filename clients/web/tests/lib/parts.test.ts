import {describe, expect, it} from 'vitest';
import {socketAddress} from '../../src/lib/address.js';
import {Delays} from '../../src/lib/delays.js';
import {Emitter} from '../../src/lib/emitter.js';
import {API_LEVEL, ERRORS, LIMITS, METHODS, NOTIFICATIONS, TYPES, VERSION} from '../../src/lib/index.js';
import type {Field} from '../../src/lib/index.js';
import {readFileSync} from 'node:fs';

describe('addresses', () => {
  const cases: [string, string | undefined, string][] = [
    ['ws://127.0.0.1:9339/ws', undefined, 'ws://127.0.0.1:9339/ws'],
    ['ws://127.0.0.1:9339', undefined, 'ws://127.0.0.1:9339/ws'],
    ['http://[::1]:9339/', undefined, 'ws://[::1]:9339/ws'],
    ['https://weft.example/sim/ws?x=1#y', undefined, 'wss://weft.example/sim/ws?x=1'],
    ['/ws', 'http://localhost:5173/index.html#world=a', 'ws://localhost:5173/ws'],
    ['ws', 'https://weft.example/a/b', 'wss://weft.example/a/ws'],
  ];
  for (const [url, base, wanted] of cases) {
    it(`${url} at ${base}`, () => expect(socketAddress(url, base)).toBe(wanted));
  }
  for (const url of ['', '/ws', 'file:///tmp/x', 'tcp://127.0.0.1:9338', 'ws://']) {
    it(`refuses "${url}"`, () => expect(() => socketAddress(url, undefined)).toThrow(TypeError));
  }
});

describe('delays', () => {
  it('double up to the bound, and start again', () => {
    const delays = new Delays({firstDelayMs: 100, maxDelayMs: 500}, () => 1);
    expect([1, 2, 3, 4, 5].map(() => delays.next())).toEqual([100, 200, 400, 500, 500]);
    delays.reset();
    expect(delays.next()).toBe(100);
  });
  it('are between half and the whole', () => {
    const least = new Delays({firstDelayMs: 100, maxDelayMs: 100}, () => 0);
    expect(least.next()).toBe(50);
    const delays = new Delays();
    const first = new Set(Array.from({length: 20}, () => new Delays().next()));
    expect(first.size).toBeGreaterThan(10);
    for (let i = 0; i < 2000; i++) {
      const delay = delays.next();
      expect(delay >= 125 && delay <= 10_000).toBe(true);
    }
  });
  it('refuse what is none', () => {
    for (const options of [
      {firstDelayMs: 0},
      {firstDelayMs: NaN},
      {firstDelayMs: 10, maxDelayMs: 5},
      {maxDelayMs: Infinity},
    ]) {
      expect(() => new Delays(options)).toThrow(RangeError);
    }
  });
});

describe('emitter', () => {
  it('calls in order, until taken away', () => {
    const emitter = new Emitter<[string]>();
    const heard: string[] = [];
    const off = emitter.add((word) => heard.push(`a ${word}`));
    emitter.add((word) => heard.push(`b ${word}`));
    emitter.emit('1');
    off();
    off();
    emitter.emit('2');
    expect(heard).toEqual(['a 1', 'b 1', 'b 2']);
  });
  it('one taken away by another before its turn is not called', () => {
    const emitter = new Emitter<[]>();
    const heard: string[] = [];
    emitter.add(() => off());
    const off = emitter.add(() => heard.push('late'));
    emitter.emit();
    expect(heard).toEqual([]);
  });
});

describe('tables', () => {
  const api = JSON.parse(readFileSync(new URL('../../../../protocol/api.json', import.meta.url), 'utf8'));

  it('hold all that api.json does', () => {
    expect([VERSION, API_LEVEL]).toEqual([api.version, api.api_level]);
    expect(Object.keys(METHODS)).toEqual(api.methods.map((one: {name: string}) => one.name));
    expect(Object.keys(NOTIFICATIONS)).toEqual(api.notifications.map((one: {name: string}) => one.name));
    expect(Object.keys(TYPES)).toEqual(api.types.map((one: {name: string}) => one.name));
    expect(Object.keys(ERRORS)).toEqual(api.errors.map((one: {code: string}) => one.code));
    for (const limit of api.limits) {
      expect(LIMITS[limit.name as keyof typeof LIMITS].value).toBe(limit.value);
    }
  });

  // Some fields follow from the kinds of constraints, and so do words in braces (protocol/generator/kinds.py).
  const text = (words?: string) =>
    words?.includes('{kinds.')
      ? expect.stringMatching(
          new RegExp(
            `^${words
              .split(/\{kinds\.\w+\}/)
              .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
              .join('[^{}]+')}$`,
          ),
        )
      : words;
  const texts = (one: any) => ({
    ...one,
    ...('doc' in one ? {doc: text(one.doc)} : {}),
    ...('unit' in one ? {unit: text(one.unit)} : {}),
  });
  const errors = (field: any) =>
    api.kinds.flatMap(({told: {unit, error}}: any) =>
      error
        ? [error.max, error.rms].map(([name, doc]) => ({...field, name, doc, ...(unit === '1' ? {} : {unit})}))
        : [],
    );
  const whole = (fields: any[]) =>
    fields.flatMap(({each, ...field}) => {
      if (each === 'errors') return errors(field);
      return each === 'kinds'
        ? api.kinds.map((row: any) => ({...field, name: field.name.replace('*', row.name), doc: row[field.doc]}))
        : [texts(field.values === 'kinds' ? {...field, values: api.kinds.map((row: any) => row.name)} : field)];
    });
  const plain = (field: Field) => {
    const {exclusiveMin, nameLike, ...rest} = field;
    return {
      ...rest,
      ...(exclusiveMin === undefined ? {} : {exclusive_min: exclusiveMin}),
      ...(nameLike === undefined ? {} : {name_like: nameLike}),
    };
  };
  for (const method of api.methods) {
    it(`${method.name}: every field as it is`, () => {
      const found = METHODS[method.name as keyof typeof METHODS];
      const {params, result, query_result: told} = api.terms;
      const query = {params: [], result: method.class === 'query' ? told : []};
      const terms = method.class === 'edit' ? {params, result} : query;
      expect({...found, params: found.params.map(plain), result: found.result.map(plain)}).toEqual({
        ...texts(method),
        params: [...whole(method.params), ...terms.params],
        result: [...whole(method.result), ...terms.result],
      });
    });
  }
  for (const type of api.types) {
    it(`type ${type.name}: every field as it is`, () => {
      const found = TYPES[type.name as keyof typeof TYPES];
      expect({...found, fields: found.fields.map(plain)}).toEqual({...texts(type), fields: whole(type.fields)});
    });
  }
});
