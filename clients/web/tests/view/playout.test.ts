// Frames that come unevenly are shown evenly. A clock is simulated; nothing waits.
import {describe, expect, it} from 'vitest';
import {Playout} from '../../src/studio/view/playout.js';

// The same sequence each time.
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

interface Outcome {
  // Of the head, by frame of the page, once it has settled: its speed relative to the world's.
  readonly speeds: number[];
  readonly delayMs: number;
  // Share of the page's frames in which the head could not go on.
  readonly starved: number;
  readonly behindMs: number;
}

// Runs a world for so many seconds: `delay(i)` ms pass between the making of frame i and its coming. They come in order.
function play(
  seconds: number,
  tickRate: number,
  rate: number,
  delay: (i: number) => number,
  every = 1,
  asked = rate,
): Outcome {
  const playout = new Playout<number>();
  playout.run(true, asked);
  const frames: {t: number; at: number}[] = [];
  let at = 0;
  for (let i = 0; i * every < seconds * tickRate * rate; i++) {
    const made = (1000 * i * every) / (tickRate * rate);
    at = Math.max(at, made + delay(i));
    frames.push({t: (i * every) / tickRate, at});
  }
  const speeds: number[] = [];
  let next = 0;
  let starved = 0;
  let shown = 0;
  let before = NaN;
  let behind = 0;
  for (let now = 0; now < 1000 * seconds; now += 1000 / 60) {
    while (next < frames.length && frames[next].at <= now) {
      playout.push(frames[next].t, frames[next].at, next);
      next++;
    }
    const what = playout.advance(now);
    const head = playout.time;
    if (now > 4000 && what) {
      shown++;
      speeds.push((head - before) / (rate / 60));
      starved += head === before ? 1 : 0;
      behind += now - (1000 * head) / rate;
    }
    before = head;
  }
  return {speeds, delayMs: playout.delayMs, starved: starved / shown, behindMs: behind / shown};
}

describe('playout', () => {
  it('shows an even stream hardly later than it comes', () => {
    const {speeds, delayMs, starved} = play(10, 60, 1, () => 5);
    expect(delayMs).toBeLessThan(25);
    expect(starved).toBe(0);
    speeds.forEach((speed) => expect(Math.abs(speed - 1)).toBeLessThan(0.05));
  });

  it('lies further behind where frames come unevenly, and goes on evenly', () => {
    const noise = random(1);
    const {speeds, delayMs, starved} = play(20, 60, 1, () => 20 + 60 * noise());
    expect(delayMs).toBeGreaterThan(40);
    expect(delayMs).toBeLessThan(130);
    expect(starved).toBeLessThan(0.01);
    const rms = Math.sqrt(speeds.reduce((sum, speed) => sum + (speed - 1) ** 2, 0) / speeds.length);
    expect(rms).toBeLessThan(0.1);
    expect(Math.min(...speeds)).toBeGreaterThanOrEqual(0);
  });

  it('bridges frames that come in bunches', () => {
    // Whatever was made in the last 100 ms comes together.
    const {speeds, starved, behindMs} = play(20, 60, 1, (i) => 100 - (((i * 1000) / 60) % 100));
    expect(starved).toBeLessThan(0.02);
    expect(behindMs).toBeLessThan(260);
    const rms = Math.sqrt(speeds.reduce((sum, speed) => sum + (speed - 1) ** 2, 0) / speeds.length);
    expect(rms).toBeLessThan(0.15);
  });

  it('comes back to a small delay when the connection gets better', () => {
    const noise = random(7);
    const {delayMs} = play(30, 60, 1, (i) => (i < 300 ? 80 * noise() : 5));
    expect(delayMs).toBeLessThan(30);
  });

  it('keeps to slow motion and to fast motion', () => {
    for (const rate of [0.1, 3]) {
      const {speeds, starved} = play(15, 60, rate, () => 8, rate > 1 ? 3 : 1);
      expect(starved).toBeLessThan(0.01);
      speeds.slice(-60).forEach((speed) => expect(Math.abs(speed - 1)).toBeLessThan(0.1));
    }
  });

  it('follows a world that is slower than it was asked to be, or as fast as it can', () => {
    for (const asked of [1, 0]) {
      const {speeds, starved} = play(15, 60, 0.4, () => 8, 1, asked);
      expect(starved).toBeLessThan(0.02);
      const last = speeds.slice(-120);
      expect(Math.abs(last.reduce((sum, speed) => sum + speed, 0) / last.length - 1)).toBeLessThan(0.05);
    }
  });

  it('goes on after a long stall without racing for ever', () => {
    const {speeds} = play(20, 60, 1, (i) => (i >= 600 && i < 720 ? 2000 - (1000 * (i - 600)) / 60 : 5));
    speeds.slice(-120).forEach((speed) => expect(Math.abs(speed - 1)).toBeLessThan(0.1));
  });

  it('shows a world at rest as it is, and its edits at once', () => {
    const playout = new Playout<string>();
    playout.run(false, 1);
    playout.push(2, 0, 'old');
    expect(playout.advance(0)).toMatchObject({a: 'old', alpha: 0, changed: true});
    expect(playout.advance(16)!.changed).toBe(false);
    playout.push(2, 20, 'edited');
    expect(playout.advance(32)).toMatchObject({a: 'edited', changed: true});
    playout.push(2 + 1 / 60, 40, 'stepped');
    let last = playout.advance(48)!;
    for (let now = 64; now < 700; now += 16) {
      last = playout.advance(now)!;
    }
    expect(last.a).toBe('stepped');
    expect(playout.delayMs).toBe(0);
  });

  it('shows nothing between the frames before and after a jump', () => {
    const playout = new Playout<string>();
    playout.run(true, 1);
    for (let i = 0; i < 60; i++) {
      playout.push(i / 60, (1000 * i) / 60, `frame ${i}`, i === 50);
    }
    const alphas = new Map<string, number>();
    for (let now = 1000; now < 2200; now += 2) {
      const shown = playout.advance(now)!;
      alphas.set(shown.a, Math.max(alphas.get(shown.a) ?? 0, shown.alpha));
    }
    expect(alphas.get('frame 49')).toBe(0);
    expect(alphas.get('frame 52')).toBeGreaterThan(0.5);
  });

  it('begins again when the world goes back', () => {
    const playout = new Playout<string>();
    playout.run(true, 1);
    playout.push(10, 0, 'late');
    playout.push(0.5, 100, 'new');
    expect(playout.advance(116)).toMatchObject({a: 'new', b: 'new', alpha: 0});
  });

  it('holds no more than it needs while nobody draws', () => {
    const playout = new Playout<number>();
    playout.run(true, 1);
    for (let i = 0; i < 10_000; i++) {
      playout.push(i / 60, (1000 * i) / 60, i);
    }
    const shown = playout.advance((1000 * 10_000) / 60)!;
    expect(shown.a).toBeGreaterThan(10_000 - 70);
  });
});
