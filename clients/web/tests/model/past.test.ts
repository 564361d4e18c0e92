// The past as a strip, its edits as acts and marks, and a log that is read page by page.
import {describe, expect, it} from 'vitest';
import type {LogEntry} from '../../src/lib/index.js';
import {actsOf, namesOf, pastEditOf, stepsOf, takenBack, thingsOf, type PastEdit} from '../../src/studio/model/past/edits.js';
import {EditLog} from '../../src/studio/model/past/log.js';
import {
  marksOf,
  nextEditTick,
  shareOf,
  stopsOf,
  stretchesOf,
  tickAt,
} from '../../src/studio/model/past/strip.js';

function edit(sequence: number, fields: Partial<PastEdit> = {}): PastEdit {
  return {
    sequence,
    tick: 10 * sequence,
    revision: sequence,
    at: 1000 + sequence,
    user: 'ann',
    session: 1,
    method: 'body.set',
    things: [`body:${sequence}`],
    name: '',
    kind: '',
    undoes: 0,
    redoes: 0,
    gesture: 0,
    ...fields,
  };
}

function entry(sequence: number, fields: Partial<LogEntry> = {}): LogEntry {
  return {
    sequence,
    tick: sequence,
    revision: sequence,
    at: sequence,
    user: 'ann',
    session: 1,
    method: 'body.set',
    params: {body: sequence},
    result: {},
    omitted: [],
    undoes: 0,
    redoes: 0,
    gesture: 0,
    ...fields,
  };
}

describe('edits of the past', () => {
  it('are one act for a whole gesture, whatever came between', () => {
    const [first, other] = actsOf([
      edit(3, {gesture: 3, at: 1}),
      edit(4, {gesture: 3, at: 9, method: 'particle.pin'}),
      edit(5, {user: 'bob', session: 2, gesture: 5}),
      edit(6, {gesture: 3, at: 20}),
      edit(7, {undoes: 3}),
    ]);
    expect(first!.revisions).toEqual([3, 4, 6]);
    expect(stepsOf(first!)).toEqual([3]);
    expect(other!.revisions).toEqual([5]);
    expect([...takenBack([first!, other!, ...actsOf([edit(7, {undoes: 3})])])]).toEqual([3]);
    const alone = actsOf([edit(8, {things: ['body:1'], at: 1}), edit(9, {things: ['body:1'], at: 1.5})]);
    expect(alone.map(stepsOf)).toEqual([[9, 8]]);
  });

  it('know what they were about', () => {
    expect(thingsOf('body.add', {name: 'flag'}, {body: 3})).toEqual(['body:3']);
    expect(thingsOf('collider.set', {collider: 2}, {})).toEqual(['collider:2']);
    expect(thingsOf('constraint.remove', {constraints: new Uint32Array([4, 5])}, {})).toEqual([
      'constraint:4',
      'constraint:5',
    ]);
    expect(thingsOf('world.reset', {}, {})).toEqual(['world']);
    expect(thingsOf('particle.pin', {body: 7}, {})).toEqual(['body:7']);
    expect(thingsOf('something.new', {}, {})).toEqual([]);
  });

  it('stay with what is said of them when params are not a map', () => {
    const odd = pastEditOf(entry(1, {params: null, result: 7, method: 'body.add'}));
    expect(odd.things).toEqual([]);
    expect(odd.name).toBe('');
  });

  it('are one act when one person goes on with one thing', () => {
    const leads = (sequence: number, at: number, fields: Partial<PastEdit> = {}) =>
      edit(sequence, {at, method: 'collider.set', things: ['collider:1'], ...fields});
    const acts = actsOf([
      leads(1, 10),
      leads(2, 10.1),
      leads(3, 10.2),
      leads(4, 12),
      leads(5, 12.1, {session: 2}),
      leads(6, 12.2, {session: 2, things: ['collider:2']}),
    ]);
    expect(acts.map(({revisions}) => revisions)).toEqual([[1, 2, 3], [4], [5], [6]]);
    expect(acts[0]!.last.sequence).toBe(3);
  });

  it('are not one act where things are made', () => {
    const made = [1, 2].map((n) => edit(n, {at: 5, method: 'body.add', things: ['body:1']}));
    expect(actsOf(made)).toHaveLength(2);
    const about = [1, 2].map((n) => edit(n, {at: 5, things: []}));
    expect(actsOf(about)).toHaveLength(2);
  });

  it('tell what things were called, those that are gone too', () => {
    const names = namesOf([
      edit(1, {method: 'body.add', things: ['body:1'], name: 'flag', kind: 'cloth'}),
      edit(2, {things: ['body:1'], name: 'banner'}),
      edit(3, {method: 'body.remove', things: ['body:1']}),
      edit(4, {method: 'collider.add', things: ['collider:1'], kind: 'sphere'}),
    ]);
    expect(names.get('body:1')).toEqual({name: 'banner', kind: 'cloth'});
    expect(names.get('collider:1')).toEqual({name: '', kind: 'sphere'});
  });
});

describe('the strip', () => {
  const range = {first: 100, last: 300};

  it('goes from the first tick to the last', () => {
    expect(shareOf(100, range)).toBe(0);
    expect(shareOf(200, range)).toBe(0.5);
    expect(shareOf(400, range)).toBe(1);
    expect(shareOf(5, {first: 5, last: 5})).toBe(1);
    expect([-1, 0, 0.25, 1, 2].map((share) => tickAt(share, range))).toEqual([100, 100, 150, 300, 300]);
    for (let tick = 100; tick <= 300; tick++) {
      expect(tickAt(shareOf(tick, range), range)).toBe(tick);
    }
  });

  it('has what is exact and what is not, without gaps', () => {
    const span = (first_tick: number, last_tick: number, exact: boolean) => ({
      first_tick,
      last_tick,
      exact,
      solver: 1,
    });
    expect(stretchesOf([], range)).toEqual([{from: 0, to: 1, exact: true}]);
    expect(stretchesOf([span(0, 150, false), span(150, 200, true), span(200, 280, true)], range)).toEqual([
      {from: 0, to: 0.25, exact: false},
      {from: 0.25, to: 1, exact: true},
    ]);
  });

  it('knows where time stood still, as far as edits tell', () => {
    const at = (sequence: number, tick: number, seconds: number) => edit(sequence, {tick, at: seconds});
    expect(stopsOf([at(1, 5, 10), at(2, 5, 11), at(3, 9, 60), at(4, 20, 61), at(5, 20, 66)])).toEqual([
      {tick: 20, seconds: 5},
    ]);
    expect(stopsOf([])).toEqual([]);
    const seen = [
      {tick: 20, seconds: 9},
      {tick: 3, seconds: 4},
      {tick: 4, seconds: 1},
    ];
    expect(stopsOf([at(4, 20, 61), at(5, 20, 66)], seen)).toEqual([
      {tick: 3, seconds: 4},
      {tick: 20, seconds: 9},
    ]);
  });

  it('lets marks not lie on each other', () => {
    const acts = actsOf([edit(11), edit(12), edit(13), edit(20)]);
    const marks = marksOf(acts, range, 0.06);
    expect(marks.map(({tick, acts: all}) => [tick, all.length])).toEqual([
      [110, 2],
      [130, 1],
      [200, 1],
    ]);
    // What is not kept any more has no mark.
    expect(marksOf(actsOf([edit(1)]), range, 0.1)).toEqual([]);
  });

  it('finds the next edit', () => {
    const acts = actsOf([edit(1), edit(2), edit(3, {tick: 20}), edit(5)]);
    expect(nextEditTick(acts, 10, true)).toBe(20);
    expect(nextEditTick(acts, 20, true)).toBe(50);
    expect(nextEditTick(acts, 50, true)).toBeNull();
    expect(nextEditTick(acts, 20, false)).toBe(10);
    expect(nextEditTick(acts, 10, false)).toBeNull();
    expect(nextEditTick(acts, 7, true)).toBe(10);
    expect(nextEditTick([], 7, true)).toBeNull();
  });
});

describe('a log', () => {
  // A server's, of which some sequences are edits; others are inputs, which it leaves out.
  function made(last: number, isEdit: (sequence: number) => boolean, most = Infinity) {
    const state = {last, asked: 0};
    const log = new EditLog((since, limit) => {
      state.asked++;
      const all = [];
      let next = 0;
      for (let sequence = since + 1; sequence <= state.last; sequence++) {
        if (!isEdit(sequence)) continue;
        if (all.length >= Math.min(limit, most)) {
          next = all[all.length - 1]!.sequence;
          break;
        }
        all.push(entry(sequence));
      }
      return Promise.resolve({edits: all, sequence: state.last, next});
    });
    return {log, state};
  }

  const sequences = (log: EditLog) => log.edits.value.map(({sequence}) => sequence);
  const upTo = (from: number, to: number) => Array.from({length: to - from}, (_, i) => from + i + 1);

  it('begins with the newest, and goes on as they come', async () => {
    const {log, state} = made(2000, () => true);
    expect(log.known.value).toBe(false);
    expect((await log.newer()).ok).toBe(true);
    expect(sequences(log)).toEqual(upTo(2000 - 512, 2000));
    expect(log.more.value).toBe(true);
    state.last = 2003;
    await log.newer();
    expect(sequences(log).slice(-4)).toEqual([2000, 2001, 2002, 2003]);
    await log.newer();
    expect(sequences(log)).toHaveLength(515);
  });

  it('has all of it, page by page, without a gap and nothing twice', async () => {
    const {log} = made(2000, () => true, 100);
    await log.newer();
    while (log.more.value) await log.older();
    expect(sequences(log)).toEqual(upTo(0, 2000));
  });

  it('is not stopped by inputs', async () => {
    const {log, state} = made(1_000_000, (sequence) => sequence % 100_000 === 7);
    await log.newer();
    expect(sequences(log)).toEqual([]);
    await log.older();
    expect(log.more.value).toBe(false);
    expect(sequences(log)).toEqual(upTo(-1, 9).map((n) => 100_000 * n + 7));
    expect(state.asked).toBeLessThan(20);
  });

  it('of a world without edits is known and empty', async () => {
    const {log} = made(0, () => true);
    await log.newer();
    expect(log.known.value).toBe(true);
    expect(log.more.value).toBe(false);
    expect(sequences(log)).toEqual([]);
  });

  it('keeps the newest of very many', async () => {
    const {log} = made(50_000, () => true);
    await log.newer();
    for (let i = 0; i < 200 && log.more.value; i++) await log.older();
    expect(log.edits.value).toHaveLength(20_000);
    expect(sequences(log)[19_999]).toBe(50_000);
  });

  it('tells a refusal, and can be asked again', async () => {
    let fails = true;
    const {log: good} = made(3, () => true);
    void good;
    const log = new EditLog((since) => {
      if (fails) return Promise.reject(new Error('broken'));
      return Promise.resolve({edits: since < 1 ? [entry(1)] : [], sequence: 1, next: 0});
    });
    await expect(log.newer()).rejects.toThrow('broken');
    expect(log.busy.value).toBe(false);
    fails = false;
    await log.newer();
    expect(sequences(log)).toEqual([1]);
  });
});
