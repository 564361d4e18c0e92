// Plays the past of the world that is open, at any speed and both ways, within a range if one is chosen.
//
//     clock ─▶ head: a place between ticks ─▶ past.seek(tick), if the last one was answered
//
// A machine or a server that is slower shows fewer ticks a second, and in the end slow motion.
import {effect, signal, type ReadonlySignal, type Signal} from '@preact/signals';
import type {WorldDocument} from '../document.js';
import type {Past} from './past.js';
import type {Range} from './strip.js';

export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 8] as const;
// A longer pause between two pictures is not made up for.
const STEP_MOST_S = 0.25;

export interface Head {
  // A tick, with its fraction.
  readonly at: number;
  // Whether the end was reached, if nothing is repeated.
  readonly ended: boolean;
}

// The tick of the head after so many ticks; negative ones go backwards.
export function moved(at: number, ticks: number, range: Range, loop: Range | null): Head {
  const {first, last} = loop ?? range;
  const to = at + ticks;
  if (to >= first && to <= last) {
    return {at: to, ended: false};
  }
  // A head before the loop plays into it.
  if (loop && ((ticks > 0 && to < first) || (ticks < 0 && to > last))) {
    return {at: to, ended: false};
  }
  if (loop) {
    // The last tick is shown as long as any other.
    const span = last - first + 1;
    return {at: Math.min(last, first + ((((to - first) % span) + span) % span)), ended: false};
  }
  return {at: ticks > 0 ? last : first, ended: true};
}

export type Clock = (tick: (nowMs: number) => void) => void;

const drawn: Clock = (tick) => {
  requestAnimationFrame(tick);
};

export class Replay {
  private readonly own = {playing: signal(false), loop: signal<Range | null>(null)};
  readonly playing: ReadonlySignal<boolean> = this.own.playing;
  // The range that is repeated; null if none is.
  readonly loop: ReadonlySignal<Range | null> = this.own.loop;
  // Times the world's own speed.
  readonly speed: Signal<number> = signal(1);
  readonly backwards: Signal<boolean> = signal(false);
  private head = 0;
  private sent: number | null = null;
  private last = 0;
  private readonly offs: (() => void)[];

  constructor(
    private readonly past: Past,
    private readonly document: WorldDocument,
    private readonly clock: Clock = drawn,
  ) {
    this.offs = [
      // Another world has another past.
      effect(() => {
        void document.home.value;
        this.own.loop.value = null;
        this.pause();
      }),
    ];
  }

  close(): void {
    this.offs.forEach((off) => off());
    this.pause();
  }

  toggle(backwards = this.backwards.peek()): void {
    const turned = backwards !== this.backwards.peek();
    this.backwards.value = backwards;
    if (this.own.playing.peek() && !turned) {
      this.pause();
    } else if (!this.own.playing.peek()) {
      this.play();
    }
  }

  pause(): void {
    this.own.playing.value = false;
  }

  // The next speed of SPEEDS.
  faster(up: boolean): void {
    const speed = this.speed.peek();
    const next = up ? SPEEDS.find((one) => one > speed) : [...SPEEDS].reverse().find((one) => one < speed);
    this.speed.value = next ?? speed;
  }

  // Repeats from or to the tick that is shown; both ends are then known.
  mark(end: 'first' | 'last'): void {
    const range = this.past.range.peek();
    const at = this.past.at.peek() ?? range.last;
    const loop = {...(this.own.loop.peek() ?? range), [end]: at};
    this.own.loop.value =
      loop.first < loop.last ? loop : end === 'first' ? {first: at, last: range.last} : {first: range.first, last: at};
  }

  unmark(): void {
    this.own.loop.value = null;
  }

  private play(): void {
    const {past} = this;
    const range = this.own.loop.peek() ?? past.range.peek();
    const at = past.at.peek();
    const backwards = this.backwards.peek();
    const spent = at !== null && !this.own.loop.peek() && at === (backwards ? range.first : range.last);
    this.head = at === null || spent ? (backwards ? range.last : range.first) : at;
    this.sent = at;
    this.last = NaN;
    this.own.playing.value = true;
    if (this.head !== at) {
      this.show(this.head);
    }
    this.clock(this.tick);
  }

  private show(tick: number): void {
    this.sent = tick;
    this.past.seek(tick);
  }

  private readonly tick = (now: number): void => {
    if (!this.own.playing.peek()) {
      return;
    }
    const {past} = this;
    const at = past.at.peek();
    if (at === null) {
      this.pause();
      return;
    }
    // Somebody went elsewhere meanwhile.
    if (at !== this.sent) {
      this.head = at;
      this.sent = at;
    }
    const seconds = Number.isNaN(this.last) ? 0 : Math.min(STEP_MOST_S, (now - this.last) / 1000);
    if (!past.busy.peek()) {
      this.last = now;
      this.move(seconds);
    }
    if (this.own.playing.peek()) {
      this.clock(this.tick);
    }
  };

  private move(seconds: number): void {
    const {past} = this;
    const way = this.backwards.peek() ? -1 : 1;
    const ticks = way * seconds * this.speed.peek() * this.document.settings.peek().tick_rate;
    const {at, ended} = moved(this.head, ticks, past.range.peek(), this.own.loop.peek());
    this.head = at;
    const tick = Math.round(at);
    if (tick !== this.sent) {
      this.show(tick);
    }
    if (ended) {
      this.pause();
      // The end of the past is now.
      if (way > 0) {
        void past.back();
      }
    }
  }
}
