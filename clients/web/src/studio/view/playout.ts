// When to show what: frames come unevenly, the picture moves evenly.
//
//     server time t   ──┬────┬────┬────┬────┬──▶        frames, as the world made them
//     arrival           ──┬──────┬─┬──────┬──┬─▶        as they came
//     head              ────────▲───────────────        what is drawn, `delay` behind the least delayed frame
//
// Each arrival gives an offset o = arrival − t / speed; the least of the last ones is that of a frame that nothing held
// up. How much later the others came, and how far frames are apart, says how large the delay has to be for the next
// frame to be there when it is needed. The head follows  speed · (now − least offset − delay)  a little faster or
// slower than time, never backwards, and rests on the newest frame if none comes. A world that does not play is shown
// as it is: the head goes to the newest frame at once.
//
// Times of the world are in seconds, of the page in milliseconds. Nothing here knows a clock.

export interface Moment<F> {
  readonly t: number;
  readonly at: number;
  readonly frame: F;
  // Nothing lies between the moment before and this one: positions jumped.
  readonly cut: boolean;
}

export interface Shown<F> {
  readonly a: F;
  readonly b: F;
  // From a to b; 0 shows a alone.
  readonly alpha: number;
  readonly changed: boolean;
}

const ARRIVALS = 128;
const KEPT = 64;
const KEPT_LEAST = 4;
const KEPT_BYTES = 96 * 1024 * 1024;
const DELAY_MAX_MS = 400;
const DELAY_KEPT_MS = 40;
const MARGIN_MS = 2;
const RISE_MS = 150;
const FALL_MS = 3000;
// The head closes an error within about this time.
const CATCH_UP_S = 0.25;
const JUMP_S = 1;
const SLOWEST = 0.25;
const FASTEST = 2;
// A measured speed this near to what was asked for is taken to be that.
const SPEED_TOLERANCE = 0.05;
const SPEED_SPAN_MS = 1000;
const SETTLE_MS = 40;

interface Arrival {
  readonly t: number;
  readonly at: number;
}

export class Playout<F> {
  private moments: Moment<F>[] = [];
  private kept = KEPT;
  private arrivals: Arrival[] = [];
  private readonly offsets = new Float64Array(ARRIVALS);
  private head = 0;
  private last = NaN;
  private delay = 0;
  private wanted = 0;
  private least = 0;
  private speed = 1;
  private playing = false;
  private rate = 1;
  private told: {a: F; b: F; alpha: number} | null = null;

  // Behind the newest state that could be known.
  get delayMs(): number {
    return this.playing ? this.delay : 0;
  }

  get time(): number {
    return this.head;
  }

  get newest(): F | null {
    return this.moments.length > 0 ? this.moments[this.moments.length - 1].frame : null;
  }

  // Whatever is shown next is the newest.
  finish(): void {
    this.head = this.moments[this.moments.length - 1]?.t ?? this.head;
  }

  clear(): void {
    this.moments = [];
    this.arrivals = [];
    this.told = null;
    this.last = NaN;
  }

  // Frames will come otherwise than before: what was learned does not hold.
  relearn(): void {
    this.arrivals = [];
    this.delay = 0;
  }

  // How many bytes a moment takes: of large ones fewer are kept.
  set weight(bytes: number) {
    this.kept = Math.max(KEPT_LEAST, Math.min(KEPT, Math.floor(KEPT_BYTES / Math.max(1, bytes))));
  }

  // rate 0: as fast as it can.
  run(playing: boolean, rate: number): void {
    if (playing !== this.playing || rate !== this.rate) {
      // What was learned of how unevenly frames come still holds, but not when they come.
      this.arrivals = [];
      this.delay = Math.min(this.delay, DELAY_KEPT_MS);
      this.speed = rate > 0 ? rate : this.speed;
      this.playing = playing;
      this.rate = rate;
    }
  }

  push(t: number, at: number, frame: F, cut = false): void {
    const last = this.moments[this.moments.length - 1];
    if (last && t < last.t) {
      this.clear();
    }
    if (last && t === last.t && this.moments.length > 0) {
      this.moments[this.moments.length - 1] = {t, at: last.at, frame, cut: cut || last.cut};
      return;
    }
    this.moments.push({t, at, frame, cut});
    if (this.moments.length === 1) {
      this.head = t;
    }
    while (this.moments.length > this.kept) {
      this.moments.shift();
      this.head = Math.max(this.head, this.moments[0].t);
    }
    if (this.playing) {
      this.learn(t, at);
    }
  }

  // What to draw at `now`; null before the first frame.
  advance(now: number): Shown<F> | null {
    if (this.moments.length === 0) {
      return null;
    }
    const elapsed = Number.isNaN(this.last) ? 0 : Math.min(250, Math.max(0, now - this.last));
    this.last = now;
    if (this.playing && this.arrivals.length > 0) {
      this.play(now, elapsed);
    } else {
      this.settle(elapsed);
    }
    while (this.moments.length > 1 && this.moments[1].t <= this.head) {
      this.moments.shift();
    }
    const [first, second] = this.moments;
    const b = second ?? first;
    const alpha = second && !second.cut ? Math.max(0, (this.head - first.t) / (second.t - first.t)) : 0;
    const before = this.told;
    const changed = !before || before.a !== first.frame || before.b !== b.frame || before.alpha !== alpha;
    this.told = {a: first.frame, b: b.frame, alpha};
    return {a: first.frame, b: b.frame, alpha, changed};
  }

  private learn(t: number, at: number): void {
    this.arrivals.push({t, at});
    if (this.arrivals.length > ARRIVALS) {
      this.arrivals.shift();
    }
    const {arrivals} = this;
    const first = arrivals[0];
    const span = at - first.at;
    if (span > (this.rate > 0 ? SPEED_SPAN_MS : 100)) {
      const measured = (1000 * (t - first.t)) / span;
      const near = this.rate > 0 && Math.abs(measured / this.rate - 1) < SPEED_TOLERANCE;
      this.speed = near ? this.rate : Math.max(1e-6, measured);
    } else if (this.rate > 0) {
      this.speed = this.rate;
    }
    const offsets = this.offsets.subarray(0, arrivals.length);
    arrivals.forEach((arrival, i) => {
      offsets[i] = arrival.at - (1000 * arrival.t) / this.speed;
    });
    offsets.sort();
    this.least = offsets[0];
    const late = offsets[Math.floor(0.95 * (offsets.length - 1))] - this.least;
    const recent = arrivals.slice(-9);
    const gap = recent.length > 1 ? (1000 * (t - recent[0].t)) / this.speed / (recent.length - 1) : 0;
    this.wanted = Math.min(DELAY_MAX_MS + gap, gap + late + MARGIN_MS);
    if (arrivals.length === 1) {
      this.delay = Math.max(this.delay, this.wanted);
    }
  }

  private play(now: number, elapsed: number): void {
    const {speed} = this;
    const constant = this.wanted > this.delay ? RISE_MS : FALL_MS;
    this.delay += (this.wanted - this.delay) * (1 - Math.exp(-elapsed / constant));
    const target = (speed * (now - this.least - this.delay)) / 1000;
    const error = (target - this.head) / speed - elapsed / 1000;
    if (Math.abs(error) > JUMP_S) {
      this.head = Math.max(target, this.moments[0].t);
    } else {
      const pace = Math.min(FASTEST, Math.max(SLOWEST, 1 + error / CATCH_UP_S));
      this.head += (pace * speed * elapsed) / 1000;
    }
    this.head = Math.min(this.head, this.moments[this.moments.length - 1].t);
  }

  private settle(elapsed: number): void {
    const newest = this.moments[this.moments.length - 1].t;
    const left = newest - this.head;
    this.head = left < 1e-4 ? newest : newest - left * Math.exp(-elapsed / SETTLE_MS);
  }
}
