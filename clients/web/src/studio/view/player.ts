// Which moment of the world the picture shows, and bodies brought to where they are then: the live stream played out
// evenly, or the substep that is being looked at.
import type {ReadonlySignal} from '@preact/signals';
import type {Frame} from '../../lib/index.js';
import type {WorldDocument} from '../model/document.js';
import type {Paint, ShownLines} from './body.js';
import type {Content} from './content.js';
import {Playout} from './playout.js';

const LONG_MS = 24;

export interface Advance {
  // Positions were written, or things came and went.
  readonly moved: boolean;
  readonly changed: boolean;
}

// Whose frames are played out, and the moment of them that is looked at instead, if one is.
export interface Shown {
  readonly document: WorldDocument;
  readonly scrubber: {readonly shown: ReadonlySignal<Frame | null>};
}

// What is drawn of a frame: ahead of it, where the hand of this page pulls at what is simulated here.
function drawn(frame: Frame): Frame {
  const {ahead} = frame;
  return ahead === undefined ? frame : {...frame, bodies: ahead.bodies, colliders: ahead.colliders ?? frame.colliders};
}

export class Player {
  // What is drawn; between two frames, the later.
  shown: Frame | null = null;
  private readonly playout = new Playout<{readonly frame: Frame}>();
  private stale = true;
  private scrubbed = false;
  private restUntil = 0;
  // Revision at which positions jumped last.
  private cutAt = 0;

  constructor(
    private readonly app: Shown,
    private readonly content: Content,
  ) {}

  get delayMs(): number {
    return this.playout.delayMs;
  }

  // Whether every body of the world is drawn, where it is now.
  get complete(): boolean {
    return this.shown !== null && this.content.bodies.size === this.app.document.bodies.peek().size;
  }

  // The tick of the newest frame; null before the first.
  get newestTick(): number | null {
    return this.playout.newest?.frame.tick ?? null;
  }

  // Goes to the newest frame at once.
  finish(): void {
    this.playout.finish();
  }

  // Another world, or the same one read again. The newest frame of the same world stays: while it rests, no other comes.
  restart(): void {
    const {newest} = this.playout;
    this.playout.clear();
    this.cutAt = 0;
    this.shown = null;
    this.stale = true;
    if (newest && newest.frame.world === this.app.document.world.peek()) {
      this.take(newest.frame);
    }
  }

  // The document has other things.
  invalidate(): void {
    this.stale = true;
  }

  // Frames will come otherwise than before.
  relearn(): void {
    this.playout.relearn();
  }

  run(playing: boolean, rate: number): void {
    this.playout.run(playing, rate);
  }

  cut(revision: number): void {
    this.cutAt = revision;
  }

  take(frame: Frame): void {
    const {tick_rate: rate, substeps} = this.app.document.settings.peek();
    const t = (frame.tick + frame.substep / substeps) / rate;
    this.playout.weight = frame.bodies.reduce((sum, {positions}) => sum + (positions?.byteLength ?? 0), 0);
    // Frames from before the jump may come after the notice of it.
    const before = this.playout.newest?.frame.revision ?? 0;
    this.playout.push(t, frame.receivedAt, {frame: drawn(frame)}, before < this.cutAt && frame.revision >= this.cutAt);
  }

  // So long the drawing of what has moved kept the page.
  took(now: number, ms: number): void {
    this.restUntil = ms > LONG_MS ? now + ms : 0;
  }

  // Brings bodies to where they are now. Where that takes long, half of the time is left to whoever turns the camera.
  advance(now: number, paint: Paint, lines: ShownLines): Advance {
    if (now < this.restUntil && !this.stale) {
      return {moved: false, changed: false};
    }
    const changed = this.stale && this.content.sync(this.app.document, paint, lines);
    this.stale = false;
    const scrub = this.app.scrubber.shown.peek();
    const playing = this.playout.advance(now);
    let moved = changed;
    if (scrub) {
      if (this.shown !== scrub || changed) {
        this.content.apply(scrub, scrub, 0);
        this.shown = scrub;
        moved = true;
      }
    } else if (playing && (playing.changed || changed || this.scrubbed)) {
      this.content.apply(playing.a.frame, playing.b.frame, playing.alpha);
      this.shown = playing.b.frame;
      moved = true;
    }
    this.scrubbed = scrub !== null;
    return {moved, changed};
  }
}
