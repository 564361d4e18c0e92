// The live stream of the world that is open: which fields, how often, and who listens.
//
// There is one stream for everybody on the page. Whoever needs velocities asks for them with want(), and gives them
// back. No more than `perSecond` frames are asked for, since a screen shows no more; a world that rests is asked for
// every tick, so that no single step is missed. Where the world is simulated on this page (simulated.ts) no positions are sent:
// its twin feeds what else would have come.
//
// Positions are compressed where that cannot be seen (packing.ts). Whoever needs the very state says want('exact'). With
// velocities they come as floats, in one stream, for both are of one moment. Where compressed ones are refused, or cannot be read any
// more, floats come instead, `sent` says why, and it is tried again later.
//
// Invariant: at most one subscription is under way; what is wanted when it is there is then set right.
import {computed, effect, signal, type ReadonlySignal, type Signal} from '@preact/signals';
import {WeftError, type Client, type Frame, type KnownBody, type Stream} from '../../lib/index.js';
import type {WorldDocument} from './document.js';
import {F32, tooMany, toleranceFor, type Encoding, type Packing} from './packing.js';
import {Thinning} from './thinning.js';

export type StreamField = 'velocities' | 'normals' | 'contacts' | 'contact' | 'measures';
const NOBODY: ReadonlySet<number> = new Set();
type Field = 'positions' | 'rotations' | 'grabs' | 'colliders' | 'asleep' | StreamField;
// What compressed frames have no room for.
const WITH_FLOATS: readonly (StreamField | 'exact')[] = ['velocities', 'normals', 'exact'];

// How positions are sent. `why`: compressed ones are not to be had; empty where they are, or nobody wants them.
export type Sent = Encoding & {readonly why: string};

interface Wanted {
  readonly world: number;
  readonly fields: readonly Field[];
  readonly every: number;
  readonly how: Encoding;
}

function same(a: Wanted, b: Wanted): boolean {
  return (
    a.world === b.world &&
    a.every === b.every &&
    a.fields.join() === b.fields.join() &&
    JSON.stringify(a.how) === JSON.stringify(b.how)
  );
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
// After compressed frames failed.
const FLOATS_MS = 30_000;
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

  // Bodies that sleep in the last frame.
  readonly sleeping: Signal<ReadonlySet<number>> = signal(NOBODY);

  // Whether a twin feeds frames.
  readonly simulated: Signal<boolean> = signal(false);
  readonly sent: ReadonlySignal<Sent>;
  // What each frame is to hold.
  readonly fields: Signal<readonly Field[]> = signal(['positions', 'grabs', 'colliders']);

  private readonly listeners = new Set<(frame: Frame) => void>();
  private readonly extra = new Map<StreamField | 'exact', number>();
  private readonly extraChanged = signal(0);
  // False where a server does not know sparse streams.
  private sparse = true;
  private readonly measured = signal(0);
  private readonly failed = signal('');
  private failedTimer: ReturnType<typeof setTimeout> | undefined;
  private readonly offs: (() => void)[] = [];
  private stream: Stream | null = null;
  private current: Wanted | null = null;
  // Of what is sent, or under way.
  private asked: Encoding = F32;
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
    packing: Packing,
  ) {
    const tolerance = computed(() => toleranceFor(document.bodies.value.values()));
    // Pieces are drawn as they are turned, and compressed frames have no room for that.
    const turning = computed(() => [...document.bodies.value.values()].some(({kind}) => kind === 'rigid'));
    const many = computed(() => tooMany(document.bodies.value.values()));
    const sent = computed<Sent>(() => {
      const {ready} = packing;
      const against = packing.why.value || (ready.value ? many.value : '') || this.failed.value;
      void this.extraChanged.value;
      const compressed =
        document.run.value.state === 'playing' &&
        !turning.value &&
        !WITH_FLOATS.some((field) => this.isWanted(field));
      if (!compressed || !ready.value || tolerance.value === null || against !== '') {
        return {...F32, why: compressed ? against : ''};
      }
      return {encoding: 'delta', tolerance: tolerance.value, why: ''};
    });
    this.sent = sent;
    this.offs.push(
      client.onState((state) => {
        // The library would subscribe the same id again, which may belong to another world on a restarted server.
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
        const {tick_rate: tickRate, sleep} = document.settings.value;
        const {state, rate} = document.run.value;
        const every = everyFor(
          tickRate,
          rate,
          state === 'playing',
          this.perSecond.value / this.thin.value,
          this.measured.value,
        );
        void this.extraChanged.value;
        const extra = [...this.extra.keys()].filter((field) => field !== 'exact' && this.isWanted(field));
        const asleep = sleep ? ['asleep'] : [];
        const rotations = turning.value ? ['rotations'] : [];
        const fields = [
          'positions',
          ...rotations,
          'grabs',
          'colliders',
          ...asleep,
          ...extra.sort(),
        ] as readonly Field[];
        if (fields.join() !== this.fields.peek().join()) {
          this.fields.value = fields;
        }
        const {why: _, ...how} = sent.value;
        this.wanted = world === 0 || this.simulated.value ? null : {world, fields, every, how};
        void this.reconcile();
      }),
    );
  }

  close(): void {
    this.offs.forEach((off) => off());
    clearTimeout(this.again);
    clearTimeout(this.failedTimer);
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

  // Asks for a field in every frame, or for positions that are not rounded, until the function that is returned is called.
  want(field: StreamField | 'exact'): () => void {
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

  private isWanted(field: StreamField | 'exact'): boolean {
    return (this.extra.get(field) ?? 0) > 0;
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
    const {world, fields, every} = wanted;
    const {encoding} = wanted.how;
    const how = {...wanted.how, ...(encoding === 'delta' && this.sparse && {sparse: true})};
    try {
      this.asked = wanted.how;
      const {stream: before} = this;
      if (before && this.current?.world === world) {
        await before.set({fields, every, ...how});
        if (this.stream !== before) {
          return false; // it ended meanwhile
        }
      } else {
        this.drop();
        const params = {world, fields, every, ...how};
        const stream = await this.client.subscribe(params, (frame) => this.onStreamed(frame), undefined, {
          body: (body) => this.known(world, body),
        });
        this.stream = stream;
        stream.onClosed((reason) => {
          if (this.stream === stream) {
            // Among others where what came could not be read.
            if (this.asked.encoding === 'delta') {
              this.fail(reason);
            }
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
      if (error instanceof WeftError && 'sparse' in how && error.field === 'sparse') {
        this.sparse = false;
        return true;
      }
      if (error instanceof WeftError && encoding === 'delta' && error.field === 'encoding') {
        this.fail(error.text);
        return true;
      }
      if (error instanceof WeftError && error.code !== 'LOST' && error.code !== 'CLOSED') {
        this.error.value = error;
      }
      return false;
    }
  }

  // For a while positions come as floats.
  private fail(why: string): void {
    clearTimeout(this.failedTimer);
    this.failed.value = why;
    this.failedTimer = setTimeout(() => (this.failed.value = ''), FLOATS_MS);
  }

  // What the document has of a body need not be asked for again.
  private known(world: number, id: number): KnownBody | null {
    const body = world === this.document.world.peek() ? this.document.bodies.peek().get(id) : undefined;
    if (!body?.topology) {
      return null;
    }
    const {kind, particles, topology} = body;
    const {rest: positions, triangles, tets, edges, skin, elementsHash: elements_hash} = topology;
    return {kind, particles, positions, triangles, tets, edges, elements_hash, ...(skin && {skin})};
  }

  private onStreamed(frame: Frame): void {
    this.frames++;
    this.dropped += frame.dropped;
    this.measure(frame);
    this.weigh(frame.receivedAt);
    this.document.take(frame);
    this.show(frame.asleep ?? []);
    this.listeners.forEach((listener) => listener(frame));
  }

  private show(asleep: readonly number[]): void {
    const before = this.sleeping.peek();
    if (asleep.length !== before.size || asleep.some((body) => !before.has(body))) {
      this.sleeping.value = new Set(asleep);
    }
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

  // Ticks per second, where nobody says what they should be.
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
