// The picture's light and resolution: as fine as the machine draws them fluently. Where frames come too slowly the light
// becomes plainer first, then the resolution falls. Both rise again only after a while, each time later if they had to
// fall again. A picture that rests is drawn in full.
//
// What is slow must be the drawing, not the rest of the main thread: that would be slow at any resolution.

import {LIGHT_MOST, type LightLevel} from './lighting.js';

const LEAST = 0.5;
const FALL = 0.8;
const RISE = 1.2;
const SLOW_MS = 26;
const FAR_TOO_SLOW_MS = 55;
const FAST_MS = 18;
const WINDOW = 24;
const WINDOW_LEAST = 3;
const WINDOW_MS = 700;
const PATIENCE_MS = 4000;
const PATIENCE_MAX_MS = 120_000;

function middle(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}

export class Quality {
  private gaps: number[] = [];
  private work: number[] = [];
  private patience = PATIENCE_MS;
  private since = 0;
  private rose = false;

  // Whether even the least resolution is too slow: then it is the triangles that are too many. That holds until
  // frames came fast for a while, each time longer.
  coarse = false;

  // Share of the full resolution, 1 or less, and the light that a frame has, with what it may have at most.
  constructor(
    public scale = 1,
    public light: LightLevel = LIGHT_MOST,
    private readonly most: LightLevel = light,
  ) {}

  // A frame was begun `gap` ms after the last; `work` ms of the main thread went into it before it was drawn. Whether
  // the scale changed.
  frame(now: number, gap: number, work: number): boolean {
    this.gaps.push(gap);
    this.work.push(work);
    const spent = this.gaps.reduce((sum, one) => sum + one, 0);
    if (this.gaps.length < WINDOW && (spent < WINDOW_MS || this.gaps.length < WINDOW_LEAST)) {
      return false;
    }
    // Single hitches do not count.
    const typical = middle(this.gaps);
    const busy = middle(this.work);
    this.rest();
    const slow = typical > SLOW_MS && busy < 0.5 * typical;
    const idle = typical < FAST_MS && now - this.since > this.patience;
    if (slow && this.rose) {
      this.patience = Math.min(PATIENCE_MAX_MS, 2 * this.patience);
      this.rose = false;
    }
    if (slow && this.light > 0) {
      this.since = now;
      this.light = this.light > 1 && typical < FAR_TOO_SLOW_MS ? 1 : 0;
      return true;
    }
    if (slow && this.scale > LEAST) {
      this.since = now;
      // The time is nearly that of the pixels: what is much too slow goes down in one step.
      const fall = Math.min(FALL, Math.max(0.5, Math.sqrt(SLOW_MS / typical)));
      this.scale = Math.max(LEAST, this.scale * fall);
      return true;
    }
    if (slow && !this.coarse) {
      this.coarse = true;
      this.since = now;
      return true;
    }
    if (idle && this.coarse && this.scale === 1) {
      this.patience = Math.min(PATIENCE_MAX_MS, 2 * this.patience);
      this.coarse = false;
      this.since = now;
      return true;
    }
    if (idle && (this.scale < 1 || this.light < this.most)) {
      this.rose = true;
      this.since = now;
      if (this.scale < 1) {
        this.scale = Math.min(1, this.scale * RISE);
      } else {
        this.light = this.light > 0 ? 2 : 1;
      }
      return true;
    }
    return false;
  }

  // The page rested: gaps say nothing.
  rest(): void {
    this.gaps = [];
    this.work = [];
  }
}
