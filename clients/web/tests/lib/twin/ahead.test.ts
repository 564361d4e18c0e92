// How far ahead a drag is shown, by which way of the hand, and when it is not. The machine is one that writes down what is done to it.
import {describe, expect, it} from 'vitest';
import {WeftError} from '../../../src/lib/error.js';
import type {Machine, MachineHands} from '../../../src/lib/machine.js';
import {Ahead, type AheadMeans} from '../../../src/lib/twin/ahead.js';

const POINT = {body: 1, particle: 7, compliance: 1e-3};
const OWN = 5;
const TICK_MS = 1000 / 60;

class Written {
  /** Who holds the particle on the certain line. */
  grab = 0;
  fails = false;
  done: string[] = [];

  grabOf = () => this.grab;
  step = () => {
    if (this.fails) throw new WeftError({kind: 1, code: 'FAILED', text: 'no number'});
    this.done.push('step');
  };
  ahead = <Result>(work: (hands: MachineHands) => Result): Result => {
    this.done = [];
    return work({
      hold: () => (this.done.push('hold'), 99),
      pull: (grab, [x]) => void this.done.push(`${grab} to ${x}`),
      letGo: (grab) => void this.done.push(`let ${grab} go`),
    });
  };

  get machine(): Machine {
    return this as unknown as Machine;
  }
}

function means(nowMs: number, changes: Partial<AheadMeans> = {}): AheadMeans {
  return {nowMs, leadMs: 6 * TICK_MS, ticksPerMs: 0.06, ticksPerFrame: 1, freeMs: 10, msPerTick: 0.1, ...changes};
}

/** So many frames, in each of which the hand goes on by one. What was shown of each: ticks ahead; 0: nothing. */
function drag(ahead: Ahead, written: Written, frames: number, changes: Partial<AheadMeans> = {}, from = 0): number[] {
  return Array.from({length: frames}, (_, i) => {
    const now = (from + i) * TICK_MS;
    ahead.hear(1, {does: 'move', target: [from + i, 0, 0]}, now);
    return ahead.run(written.machine, means(now, changes), (ticks) => ticks) ?? 0;
  });
}

describe('a drag', () => {
  const begun = () => {
    const [ahead, written] = [new Ahead(), new Written()];
    ahead.hear(1, {does: 'begin', point: POINT, target: [-1, 0, 0]}, 0);
    return {ahead, written};
  };

  it('is shown at once, goes ahead to where it will be certain, and the hand is where it is now', () => {
    const {ahead, written} = begun();
    expect(drag(ahead, written, 9)).toEqual([1, 2, 3, 4, 5, 6, 6, 6, 6]);
    // The way of the hand through the lead: one move a tick.
    expect(written.done.filter((one) => one.startsWith('99'))).toEqual([3, 4, 5, 6, 7, 8].map((x) => `99 to ${x}`));
    expect(written.done.filter((one) => one === 'hold').length).toBe(1);
    expect(written.done.at(-1)).toBe('step');
  });

  it('goes the same way in fewer ticks where there is less time, and is left alone where there is hardly any', () => {
    const {ahead, written} = begun();
    expect(drag(ahead, written, 8, {freeMs: 3, msPerTick: 1}).every((ticks) => ticks <= 6)).toBe(true);
    const slow = begun();
    const shown = drag(slow.ahead, slow.written, 60, {freeMs: 0, msPerTick: 4});
    expect(shown).toEqual([...Array(29).fill(1), ...Array(31).fill(0)]);
    // Until there is time again.
    expect(drag(slow.ahead, slow.written, 60, {freeMs: 10, msPerTick: 0.1}, 60).at(-1)).toBe(6);
  });

  it('takes over the grab that the server began, and comes back in peace when it was let go', () => {
    const {ahead, written} = begun();
    drag(ahead, written, 7);
    written.grab = OWN;
    ahead.hear(1, {does: 'begun', grab: OWN}, 7 * TICK_MS);
    drag(ahead, written, 3, {}, 7);
    expect(written.done).not.toContain('hold');
    expect(written.done).toContain(`${OWN} to 9`);
    ahead.hear(1, {does: 'end'}, 9.5 * TICK_MS);
    const run = (i: number) => ahead.run(written.machine, means(i * TICK_MS), (ticks) => ticks) ?? 0;
    expect(run(10)).toBe(6);
    expect(written.done).toContain(`let ${OWN} go`);
    written.grab = 0; // the record came
    expect(Array.from({length: 13}, (_, i) => run(11 + i))).toEqual([5, 5, 4, 4, 3, 3, 2, 2, 1, 1, 0, 0, 0]);
    expect(ahead.idle).toBe(true);
  });

  it('is gone at once where the server refuses it, where its grab vanishes, or where another has the particle', () => {
    const refused = begun();
    drag(refused.ahead, refused.written, 5);
    refused.ahead.hear(1, {does: 'drop'}, 100);
    expect(refused.ahead.idle).toBe(true);

    const reset = begun();
    reset.written.grab = OWN;
    reset.ahead.hear(1, {does: 'begun', grab: OWN}, 0);
    drag(reset.ahead, reset.written, 5);
    reset.written.grab = 0;
    expect(drag(reset.ahead, reset.written, 2, {}, 5)).toEqual([0, 0]);

    const taken = begun();
    taken.written.grab = 4; // before anything is known of one's own
    drag(taken.ahead, taken.written, 3);
    expect(taken.written.done.every((one) => one === 'step')).toBe(true);
    taken.ahead.hear(1, {does: 'begun', grab: OWN}, 100);
    expect(drag(taken.ahead, taken.written, 1, {}, 4)).toEqual([0]);

    const unheard = begun();
    expect(drag(unheard.ahead, unheard.written, 200).at(-1)).toBe(0);
  });

  it('that fails ahead is shown as it is', () => {
    const {ahead, written} = begun();
    written.fails = true;
    expect(drag(ahead, written, 2)).toEqual([0, 0]);
    expect(ahead.idle).toBe(true);
  });

  it('has bounds', () => {
    const ahead = new Ahead();
    const written = new Written();
    for (let hand = 0; hand < 50; hand++) {
      ahead.hear(hand, {does: 'begin', point: POINT, target: [0, 0, 0]}, 0);
      for (let move = 0; move < 2000; move++) ahead.hear(hand, {does: 'move', target: [move, 0, 0]}, 0);
    }
    const shown = Array.from({length: 60}, () => ahead.run(written.machine, means(0, {leadMs: 1e6, freeMs: 1e6}), (n) => n));
    expect(shown.at(-1)).toBe(40);
    expect(written.done.filter((one) => one === 'hold').length).toBe(8);
  });
});
