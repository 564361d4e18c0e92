// The live stream of the world that is open: which fields, how often, and who listens.
//
// There is one stream for everybody on the page. Whoever needs velocities asks for them with want(), and gives them
// back. No more than `perSecond` frames are asked for, since a screen shows no more; a world that rests is asked for
// every tick, so that no single step is missed. Where the world is simulated on this page (simulated.ts) no positions are sent:
// its twin feeds what else would have come.
//
// Invariant: at most one subscription is under way; what is wanted when it is there is then set right.
import {effect, signal, type Signal} from '@preact/signals';
import {WeftError, type Client, type Frame, type Stream} from '../../lib/index.js';
import type {WorldDocument} from './document.js';
import {Thinning} from './thinning.js';

export type StreamField = 'velocities' | 'normals' | 'contacts' | 'contact' | 'measures';
type Field = 'positions' | 'grabs' | 'colliders' | StreamField;

// How positions are sent, whatever else is wanted of a frame.
const POSITIONS = {encoding: 'f32'} as const;

interface Wanted {
  readonly world: number;
  readonly fields: readonly Field[];
  readonly every: number;
}

function same(a: Wanted, b: Wanted): boolean {
  return a.world === b.world && a.every === b.every && a.fields.join() === b.fields.join();
}

// Every so many ticks, for no more than perSecond frames: a world that runs as fast as it can (rate 0) is followed by
// what was measured.
export function everyFor(
  tickRate: number,
  rate: number,
  playing: boolean,
  perSecond: number,
  measured: number,
): number {
  if (!playing) {
    return 1;
  }
  const ticks = rate > 0 ? tickRate * rate : measured;
  return Math.min(1_000_000, Math.max(1, Math.floor(ticks / perSecond + 1e-9)));
}

const MEASURE_MS = 500;
const AGAIN_MS = 1000;
const WINDOW_MS = 1000;
// One frame in so many: what is between two of them is seen.
const NARROW = 3;

export class Frames {
  // Frames a second that are worth sending.
  readonly perSecond: Signal<number> = signal(60);
  // Why there is no stream although a world is open.
  readonly error: Signal<WeftError | null> = signal(null);
  // Frames a second that get through where those are much fewer than were asked for at first; null where all do.
  readonly narrow: Signal<number | null> = signal(null);

  // Whether a twin feeds frames.
  readonly simulated: Signal<boolean> = signal(false);
  // What each frame is to hold.
  readonly fields: Signal<readonly Field[]> = signal(['positions', 'grabs', 'colliders']);

  private readonly listeners = new Set<(frame: Frame) => void>();
  private readonly extra = new Map<StreamField, number>();
  private readonly extraChanged = signal(0);
  private readonly measured = signal(0);
  private readonly offs: (() => void)[] = [];
  private stream: Stream | null = null;
  private current: Wanted | null = null;
  private wanted: Wanted | null = null;
  private busy = false;
  private again: ReturnType<typeof setTimeout> | undefined;
  private frames = 0;
  private dropped = 0;
  private measureFrom = {tick: 0, at: 0};
  private readonly thinning = new Thinning();
  private readonly thin = signal(1);
  private windowFrom = {frames: 0, dropped: 0, at: 0};

  constructor(
    private readonly client: Client,
    private readonly document: WorldDocument,
  ) {
    this.offs.push(
      client.onState((state) => {
        // The library would subscribe the same id again, which may be another world on a server started anew.
        if (state === 'lost') {
          this.drop();
          this.thinning.reset();
          this.thin.value = 1;
          this.narrow.value = null;
        } else if (state === 'open' && client.resumed) {
          // The document is what it was, so nothing else asks for it.
          void this.reconcile();
        }
      }),
      effect(() => {
        const world =
          document.phase.value === 'joined' && document.epoch.value > 0 ? document.world.value : 0;
        const {tick_rate: tickRate} = document.settings.value;
        const {state, rate} = document.run.value;
        const every = everyFor(
          tickRate,
          rate,
          state === 'playing',
          this.perSecond.value / this.thin.value,
          this.measured.value,
        );
        void this.extraChanged.value;
        const extra = [...this.extra].filter(([, count]) => count > 0).map(([field]) => field);
        const fields: readonly Field[] = ['positions', 'grabs', 'colliders', ...extra.sort()];
        if (fields.join() !== this.fields.peek().join()) {
          this.fields.value = fields;
        }
        this.wanted = world === 0 || this.simulated.value ? null : {world, fields, every};
        void this.reconcile();
      }),
    );
  }

  close(): void {
    this.offs.forEach((off) => off());
    clearTimeout(this.again);
    this.wanted = null;
    void this.reconcile();
  }

  onFrame(callback: (frame: Frame) => void): () => void {
    this.listeners.add(callback);
    return () => this.listeners.delete(callback);
  }

  // A moment that was simulated here.
  feed(frame: Frame): void {
    this.onStreamed(frame);
  }

  // Asks for a field in every frame, until the function that is returned is called.
  want(field: StreamField): () => void {
    const add = (count: number) => {
      this.extra.set(field, (this.extra.get(field) ?? 0) + count);
      this.extraChanged.value = this.extraChanged.peek() + 1;
    };
    add(1);
    let released = false;
    return () => {
      if (!released) {
        released = true;
        add(-1);
      }
    };
  }

  // Since the page was opened.
  get counts(): {readonly frames: number; readonly dropped: number} {
    return {frames: this.frames, dropped: this.dropped};
  }

  private drop(): void {
    this.stream?.close().catch(() => undefined);
    this.stream = null;
    this.current = null;
  }

  private async reconcile(): Promise<void> {
    if (this.busy) {
      return;
    }
    this.busy = true;
    try {
      for (;;) {
        const wanted = this.wanted;
        if (wanted === null || this.client.state !== 'open') {
          this.drop();
          return;
        }
        if ((this.current && same(wanted, this.current)) || !(await this.go(wanted))) {
          return;
        }
      }
    } finally {
      this.busy = false;
    }
  }

  private async go(wanted: Wanted): Promise<boolean> {
    try {
      if (this.stream && this.current?.world === wanted.world) {
        await this.stream.set({fields: wanted.fields, every: wanted.every});
      } else {
        this.drop();
        const stream = await this.client.subscribe({...wanted, ...POSITIONS}, (frame) => this.onStreamed(frame));
        this.stream = stream;
        stream.onClosed(() => {
          if (this.stream === stream) {
            this.stream = null;
            this.current = null;
            // Unless its world is gone, which the document will say, it is asked for again.
            this.again = setTimeout(() => void this.reconcile(), AGAIN_MS);
          }
        });
      }
      this.current = wanted;
      this.error.value = null;
      return true;
    } catch (error) {
      this.drop();
      if (error instanceof WeftError && error.code !== 'LOST' && error.code !== 'CLOSED') {
        this.error.value = error;
      }
      return false;
    }
  }

  private onStreamed(frame: Frame): void {
    this.frames++;
    this.dropped += frame.dropped;
    this.measure(frame);
    this.weigh(frame.receivedAt);
    this.document.take(frame);
    this.listeners.forEach((listener) => listener(frame));
  }

  // Whether as many frames come as are asked for.
  private weigh(now: number): void {
    const {frames, dropped, at} = this.windowFrom;
    if (now - at < WINDOW_MS) {
      return;
    }
    this.windowFrom = {frames: this.frames, dropped: this.dropped, at: now};
    // After a rest the window is not one.
    const whole = now - at < 4 * WINDOW_MS && this.document.playing.peek();
    const seconds = (now - at) / 1000;
    const perSecond = (this.frames - frames) / seconds;
    const left = (this.dropped - dropped) / seconds;
    const {latencyMs} = this.client;
    if (whole && this.thinning.window(now, perSecond, left, this.perSecond.peek(), latencyMs ?? 0)) {
      this.thin.value = this.thinning.factor;
    }
    if (this.thinning.factor < NARROW) {
      this.narrow.value = null;
    } else if (whole) {
      this.narrow.value = Math.round(perSecond);
    }
  }

  // Ticks a second, where nobody says what they should be.
  private measure(frame: Frame): void {
    const run = this.document.run.peek();
    const elapsed = frame.receivedAt - this.measureFrom.at;
    if (elapsed < MEASURE_MS) {
      return;
    }
    if (run.state === 'playing' && run.rate === 0 && elapsed < 4 * MEASURE_MS) {
      const now = (frame.tick - this.measureFrom.tick) / (elapsed / 1000);
      const before = this.measured.peek();
      // Small changes are not worth a request.
      if (before === 0 || now > 1.5 * before || now < before / 1.5) {
        this.measured.value = now;
      }
    }
    this.measureFrom = {tick: frame.tick, at: frame.receivedAt};
  }
}
