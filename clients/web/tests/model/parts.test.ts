// The small parts of the model: rings, tables, selections, links, how often frames are asked for.
import {describe, expect, it, vi} from 'vitest';
import {everyFor} from '../../src/studio/model/frames.js';
import {strainOf} from '../../src/studio/model/measured.js';
import {Thinning} from '../../src/studio/model/thinning.js';
import {
  formatLink,
  Latest,
  NOTHING_SELECTED,
  parseLink,
  Ring,
  select,
  type Selected,
  type Thing,
} from '../../src/studio/model/index.js';
import {
  constraintAt,
  emptyTable,
  filtered,
  merged,
  rowOf,
  tableOf,
  withValues,
  type ConstraintTable,
} from '../../src/studio/model/table.js';
import {withParticles} from '../../src/studio/model/selection.js';

describe('a ring', () => {
  it('keeps the newest rows in order', () => {
    const ring = new Ring(['a', 'b'], 4);
    for (let i = 0; i < 6; i++) {
      ring.push(i, [i * 10, -i]);
    }
    expect(ring.length).toBe(4);
    expect(ring.rows()).toEqual({
      time: Float64Array.of(2, 3, 4, 5),
      columns: [Float64Array.of(20, 30, 40, 50), Float64Array.of(-2, -3, -4, -5)],
    });
    expect(Array.from(ring.rows(4).time)).toEqual([4, 5]);
    expect(Array.from(ring.rows(-Infinity, 2).time)).toEqual([3, 5]);
  });

  it('has one row for a moment, and begins again when time goes back', () => {
    const ring = new Ring(['a'], 8);
    ring.push(1, [1]);
    ring.push(2, [2]);
    ring.push(2, [3]);
    expect(Array.from(ring.rows().columns[0])).toEqual([1, 3]);
    ring.push(0.5, [9]);
    expect(Array.from(ring.rows().time)).toEqual([0.5]);
    ring.clear();
    expect(ring.rows().time.length).toBe(0);
    expect(ring.newest).toBeNaN();
  });
});

function rows(ids: number[]): ConstraintTable {
  const values = Float64Array.from(ids, (id) => id / 10);
  const pairs = Uint32Array.from(ids.flatMap((id) => [id, id + 1]));
  return tableOf('distance', {
    revision: 1,
    tick: 0,
    constraints: Uint32Array.from(ids),
    bodies: pairs,
    particles: pairs,
    rest: values,
    compliance: values,
    damping: values,
    stiffness: values,
    next: 0,
  });
}

describe('a table of constraints', () => {
  it('finds rows by id', () => {
    const table = rows([2, 5, 9]);
    expect([1, 2, 5, 6, 9, 10].map((id) => rowOf(table, id))).toEqual([-1, 0, 1, -1, 2, -1]);
    expect(constraintAt(table, 1)).toEqual({
      constraint: 5,
      type: 'distance',
      bodies: [5, 6],
      particles: [5, 6],
      rest: 0.5,
      compliance: 0.5,
      damping: 0.5,
      stiffness: 0.5,
      weights: [],
      ratio: 1,
      friction: 0,
      gradients: [],
    });
    expect(rowOf(emptyTable('volume'), 1)).toBe(-1);
  });

  it('is put together from pages, the newer row winning', () => {
    expect(Array.from(merged(rows([1, 2]), rows([3, 4])).ids)).toEqual([1, 2, 3, 4]);
    const newer = withValues(rows([2, 3]), [0, 1], {rest: () => 7});
    const both = merged(rows([1, 2, 4]), newer);
    expect(Array.from(both.ids)).toEqual([1, 2, 3, 4]);
    expect(Array.from(both.rest)).toEqual([0.1, 7, 7, 0.4]);
    expect(Array.from(both.particles)).toEqual([1, 2, 2, 3, 3, 4, 4, 5]);
  });

  it('has a ratio and a friction of slides alone, which measure their path', () => {
    const values = Float64Array.of(2);
    const table = tableOf('slide', {
      revision: 1,
      tick: 0,
      constraints: Uint32Array.of(7),
      bodies: Uint32Array.of(1, 1, 1),
      particles: Uint32Array.of(0, 1, 2),
      rest: values,
      compliance: values,
      damping: values,
      stiffness: values,
      ratio: values,
      friction: Float64Array.of(0),
      next: 0,
    });
    const changed = withValues(table, [0], {friction: () => 0.5});
    expect(constraintAt(filtered(merged(changed, emptyTable('slide')), () => true), 0)).toMatchObject({ratio: 2, friction: 0.5});
    expect(filtered(rows([1, 2]), (row) => row > 0).ratio.length).toBe(0);
    // A part of 1 and one of 0.5 that counts twice.
    expect(strainOf('slide', 1, [0, 1, 0, 0, 0, 0, 0.5, 0, 0], 2)).toBe(1);
    // A ring is as far from its rail as from the nearest point of it.
    expect(strainOf('slide_rail', 0, [0.5, 0.25, 0, 0, 0, 0, 1, 0, 0])).toBe(0.25);
    expect(strainOf('slide_rail', 0, [2, 0, 0, 0, 0, 0, 1, 0, 0])).toBe(1);
  });

  it('has gradients of orthotropic ones alone, which measure the strain of their yarns', () => {
    const values = Float64Array.of(0);
    const table = tableOf('orthotropic', {
      revision: 1,
      tick: 0,
      constraints: Uint32Array.of(7),
      bodies: Uint32Array.of(1, 1, 1),
      particles: Uint32Array.of(0, 1, 2),
      rest: values,
      compliance: values,
      damping: values,
      stiffness: values,
      gradients: Float64Array.of(2, 0, 0, 4),
      next: 0,
    });
    const copy = filtered(merged(table, emptyTable('orthotropic')), () => true);
    const {gradients} = constraintAt(copy, 0);
    expect(gradients).toEqual([2, 0, 0, 4]);
    expect(constraintAt(filtered(merged(rows([1]), rows([2])), () => true), 0).gradients).toEqual([]);
    // The warp is as long as at rest, or a quarter longer; the weft is half as long.
    expect(strainOf('orthotropic', 0, [0, 0, 0, 0.5, 0, 0, 0, 0.125, 0], 1, gradients)).toBe(-0.5);
    expect(strainOf('orthotropic', 0, [0, 0, 1, 0, 0, 1.625, 0, 0.25, 1], 1, gradients)).toBe(0.25);
  });

  it('is not changed, but replaced', () => {
    const table = rows([1, 2, 3]);
    const changed = withValues(table, [1], {compliance: () => 42});
    expect(table.compliance[1]).toBe(0.2);
    expect(changed.compliance[1]).toBe(42);
    expect(changed.rest).toBe(table.rest);
    expect(Array.from(filtered(table, (row) => row !== 1).ids)).toEqual([1, 3]);
    expect(filtered(table, () => true)).toBe(table);
  });
});

describe('a selection', () => {
  const particle = (body: number, index: number): Thing => ({kind: 'particle', body, particle: index});
  const plain = (selected: Selected) =>
    [...selected.particles].map(([body, list]) => [body, Array.from(list)]);

  it('is replaced, added to, taken from and toggled', () => {
    const one = select(NOTHING_SELECTED, [particle(1, 5), particle(1, 2), particle(2, 0)], 'replace');
    expect(plain(one)).toEqual([
      [1, [2, 5]],
      [2, [0]],
    ]);
    const more = select(one, [particle(1, 3), {kind: 'body', body: 9}], 'add');
    expect(plain(more)).toEqual([
      [1, [2, 3, 5]],
      [2, [0]],
    ]);
    expect([...more.bodies]).toEqual([9]);
    const fewer = select(more, [particle(2, 0), particle(1, 3)], 'remove');
    expect(plain(fewer)).toEqual([[1, [2, 5]]]);
    const toggled = select(fewer, [particle(1, 2), particle(1, 7), {kind: 'wind'}], 'toggle');
    expect(plain(toggled)).toEqual([[1, [5, 7]]]);
    expect(toggled.wind).toBe(true);
    expect(plain(one)).toEqual([
      [1, [2, 5]],
      [2, [0]],
    ]);
    const other = select(toggled, [{kind: 'constraint', constraint: 3, type: 'volume'}], 'replace');
    expect([...other.constraints]).toEqual([[3, 'volume']]);
    expect(other.particles.size + other.bodies.size).toBe(0);
    expect(other.wind).toBe(false);
  });

  it('takes half a million particles at once, and adds, removes and toggles them', () => {
    const many = Uint32Array.from({length: 500_000}, (_, i) => i);
    const all = withParticles(new Map(), new Map([[1, many]]), 'add');
    expect(all.get(1)!.length).toBe(many.length);
    const more = withParticles(all, new Map([[1, [500_003, 500_001, 7]]]), 'add');
    expect(more.get(1)!.slice(-3)).toEqual(Uint32Array.of(499_999, 500_001, 500_003));
    const toggled = withParticles(more, new Map([[1, [3, 600_000]]]), 'toggle');
    expect(toggled.get(1)!.length).toBe(500_002);
    const few = withParticles(toggled, new Map([[1, many]]), 'remove');
    expect([...few.get(1)!]).toEqual([500_001, 500_003, 600_000]);
  });
});

describe('a link', () => {
  it('carries the world and the view, whatever the name', () => {
    const pose = {position: [1, 2.5, -3] as const, target: [0, 0.125, 0] as const};
    for (const name of ['demo', 'a b&c=d#é,", +']) {
      expect(parseLink(formatLink(name, pose))).toEqual({world: name, pose, tick: null});
      expect(parseLink(formatLink(name, pose, 1234))).toEqual({world: name, pose, tick: 1234});
      expect(parseLink(formatLink(name, null))).toEqual({world: name, pose: null, tick: null});
    }
    expect(formatLink('demo', pose)).toBe('#world=demo&view=1,2.5,-3,0,0.125,0');
  });

  it('that is broken is no link', () => {
    expect(parseLink('')).toEqual({world: null, pose: null, tick: null});
    for (const tick of ['', '-1', '1.5', 'x', '1e3', '9'.repeat(16)]) expect(parseLink(`#tick=${tick}`).tick).toBe(null);
    expect(parseLink('#world=x&view=1,2,3')).toEqual({world: 'x', pose: null, tick: null});
    expect(parseLink('#view=1,2,x,0,0,0')).toEqual({world: null, pose: null, tick: null});
    expect(parseLink('#view=1,1,1,1,1,1').pose).toBe(null);
    expect(parseLink('#view=1e300,1,1,1,1,1').pose).toBe(null);
  });
});

describe('frames', () => {
  it('are asked for no more often than a screen shows them, and each while the world rests', () => {
    expect(everyFor(60, 1, true, 60, 0)).toBe(1);
    expect(everyFor(240, 1, true, 60, 0)).toBe(4);
    expect(everyFor(60, 4, true, 60, 0)).toBe(4);
    expect(everyFor(60, 0.1, true, 60, 0)).toBe(1);
    expect(everyFor(1000, 1, false, 60, 0)).toBe(1);
    expect(everyFor(60, 0, true, 60, 0)).toBe(1);
    expect(everyFor(60, 0, true, 60, 6100)).toBe(101);
    expect(everyFor(60, 1, true, 1, 0)).toBe(60);
  });
});

describe('the latest of many values', () => {
  it('are sent one at a time, the last of those that waited', async () => {
    const sent: number[] = [];
    let done: (() => void)[] = [];
    const latest = new Latest<number>((value) => {
      sent.push(value);
      return new Promise<void>((resolve, reject) =>
        done.push(value === 3 ? () => reject(new Error('refused')) : resolve),
      );
    });
    [1, 2, 3].forEach((value) => latest.push(value));
    expect(sent).toEqual([1]);
    done.shift()!();
    await new Promise((resolve) => setTimeout(resolve));
    expect(sent).toEqual([1, 3]);
    latest.push(4);
    // A refusal does not end it.
    done.shift()!();
    await new Promise((resolve) => setTimeout(resolve));
    expect(sent).toEqual([1, 3, 4]);
    latest.push(5);
    latest.cancel();
    done.shift()!();
    await new Promise((resolve) => setTimeout(resolve));
    expect(sent).toEqual([1, 3, 4]);
  });

  it('are sent before the last was answered where that takes long, whenever an earlier answer comes', async () => {
    vi.useFakeTimers();
    try {
      const sent: number[] = [];
      const answers: (() => void)[] = [];
      const latest = new Latest<number>((value) => {
        sent.push(value);
        return new Promise<void>((resolve) => answers.push(resolve));
      }, 100);
      latest.push(1);
      latest.push(2);
      await vi.advanceTimersByTimeAsync(99);
      expect(sent).toEqual([1]);
      await vi.advanceTimersByTimeAsync(1);
      expect(sent).toEqual([1, 2]);
      // Nothing waits: whatever comes next goes at once, although the answer to the first came meanwhile.
      await vi.advanceTimersByTimeAsync(100);
      answers[0]!();
      await vi.advanceTimersByTimeAsync(0);
      latest.push(3);
      await vi.advanceTimersByTimeAsync(0);
      expect(sent).toEqual([1, 2, 3]);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('thinning', () => {
  // A line that carries so many frames a second; each second is a window.
  function run(thinning: Thinning, from: number, seconds: number, carries: number): number {
    let changes = 0;
    for (let second = from; second < from + seconds; second++) {
      const asked = 60 / thinning.factor;
      const frames = Math.min(asked, carries);
      changes += thinning.window(1000 * second, frames, asked - frames) ? 1 : 0;
    }
    return changes;
  }

  it('asks for no more than comes, and for all again when the line gets better', () => {
    const thinning = new Thinning();
    expect(run(thinning, 0, 30, 60)).toBe(0);
    run(thinning, 30, 5, 16);
    // A little less than what comes, but no less than is needed.
    expect(60 / thinning.factor).toBeLessThan(16);
    expect(60 / thinning.factor).toBeGreaterThan(12);
    run(thinning, 35, 70, 60);
    expect(thinning.factor).toBe(1);
    run(thinning, 105, 30, 2);
    expect(60 / thinning.factor).toBeLessThan(2.3);
    expect(60 / thinning.factor).toBeGreaterThanOrEqual(1);
    thinning.reset();
    expect(thinning.factor).toBe(1);
  });

  it('does not try in vain for ever, and forgives a hitch', () => {
    const thinning = new Thinning();
    run(thinning, 0, 20, 35);
    expect(run(thinning, 20, 300, 35)).toBeLessThan(20);
    const calm = new Thinning();
    for (let second = 0; second < 20; second++) {
      calm.window(1000 * second, 40, second % 5 === 0 ? 20 : 0);
    }
    expect(calm.factor).toBe(1);
  });
});
