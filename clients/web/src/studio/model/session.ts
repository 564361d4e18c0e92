// The connection as signals: is it there, when is it tried again, how fast and how much. Sampled twice a second.
import {batch, signal, type ReadonlySignal} from '@preact/signals';
import type {Client, ClientState, WeftError} from '../../lib/index.js';
import type {WorldDocument} from './document.js';
import type {Frames} from './frames.js';

export interface Rates {
  // Round trip, averaged; null before the first.
  readonly latencyMs: number | null;
  readonly bytesInPerSecond: number;
  readonly bytesOutPerSecond: number;
  readonly framesPerSecond: number;
  readonly ticksPerSecond: number;
  // Frames that the server left out because this page was slow: in the last second, and since the page was opened.
  readonly droppedPerSecond: number;
  readonly dropped: number;
}

const SAMPLE_MS = 500;
// A rate is that of the last two seconds; of a world that does few ticks, of as many seconds as they take, up to ten.
const RATE_MS = 2000;
const RATE_TICKS = 30;
const RATE_KEPT_MS = 10_000;
const NO_RATES: Rates = {
  latencyMs: null,
  bytesInPerSecond: 0,
  bytesOutPerSecond: 0,
  framesPerSecond: 0,
  ticksPerSecond: 0,
  droppedPerSecond: 0,
  dropped: 0,
};

export class Session {
  private readonly own = {
    state: signal<ClientState>('connecting'),
    error: signal<WeftError | null>(null),
    retryInMs: signal<number | null>(null),
    rates: signal<Rates>(NO_RATES),
    server: signal(''),
    id: signal(0),
    rate: signal<number | null>(null),
  };

  readonly state: ReadonlySignal<ClientState> = this.own.state;
  // Why the connection was lost or refused last; null while it is there.
  readonly error: ReadonlySignal<WeftError | null> = this.own.error;
  // Until the next attempt; null unless one is due.
  readonly retryInMs: ReadonlySignal<number | null> = this.own.retryInMs;
  readonly rates: ReadonlySignal<Rates> = this.own.rates;
  // Name and version of the server.
  readonly server: ReadonlySignal<string> = this.own.server;
  // This session's id among people and grabs; 0 before it is known.
  readonly id: ReadonlySignal<number> = this.own.id;

  // How fast the world's time really goes, as a multiple of real time; null while it stands or is not known yet.
  readonly rate: ReadonlySignal<number | null> = this.own.rate;

  private readonly offs: (() => void)[];
  private played: {readonly at: number; readonly tick: number}[] = [];
  private playing: unknown = null;
  private last = {at: 0, bytesIn: 0, bytesOut: 0, frames: 0, dropped: 0, tick: 0};

  constructor(
    private readonly client: Client,
    private readonly document: WorldDocument,
    private readonly frames: Frames,
  ) {
    const timer = setInterval(() => this.sample(), SAMPLE_MS);
    this.offs = [client.onState(() => this.onState()), () => clearInterval(timer)];
    this.onState();
  }

  close(): void {
    this.offs.forEach((off) => off());
  }

  // Tries to connect at once.
  retry(): void {
    this.client.retry();
  }

  private onState(): void {
    const {client} = this;
    batch(() => {
      this.own.state.value = client.state;
      this.own.error.value = client.state === 'open' ? null : client.lastError;
      this.own.server.value = client.hello ? `${client.hello.name} ${client.hello.version}` : '';
      this.own.id.value = client.hello?.session ?? 0;
      this.countDown();
    });
  }

  private countDown(): void {
    const at = this.client.retryAt;
    this.own.retryInMs.value = at === null ? null : Math.max(0, at - performance.now());
  }

  private sample(): void {
    const {stats} = this.client;
    const {frames, dropped} = this.frames.counts;
    const now = {
      at: performance.now(),
      bytesIn: stats.bytesIn,
      bytesOut: stats.bytesOut,
      frames,
      dropped,
      tick: this.document.tick.peek(),
    };
    this.own.rate.value = this.sampleRate(now.at, now.tick);
    const before = this.last;
    const seconds = (now.at - before.at) / 1000;
    this.last = now;
    batch(() => {
      this.countDown();
      if (before.at > 0 && seconds > 0) {
        this.own.rates.value = {
          latencyMs: this.client.latencyMs,
          bytesInPerSecond: (now.bytesIn - before.bytesIn) / seconds,
          bytesOutPerSecond: (now.bytesOut - before.bytesOut) / seconds,
          framesPerSecond: (now.frames - before.frames) / seconds,
          ticksPerSecond: Math.max(0, now.tick - before.tick) / seconds,
          droppedPerSecond: (now.dropped - before.dropped) / seconds,
          dropped,
        };
      }
    });
  }

  private sampleRate(at: number, tick: number): number | null {
    const run = this.document.run.peek();
    const tickRate = this.document.settings.peek().tick_rate;
    const newest = this.played[this.played.length - 1];
    // A page that stood still itself has seen nothing of the ticks meanwhile.
    const late = newest !== undefined && at - newest.at > 2 * SAMPLE_MS;
    if (run !== this.playing || late || (newest && tick < newest.tick)) {
      this.played = [];
      this.playing = run;
    }
    if (run.state !== 'playing' || this.client.state !== 'open') {
      this.played = [];
      return null;
    }
    this.played.push({at, tick});
    const enough = ({at: from, tick: first}: {at: number; tick: number}) =>
      at - from >= RATE_MS && (tick - first >= RATE_TICKS || at - from >= RATE_KEPT_MS);
    // The second is enough: the first is not needed.
    while (this.played[1] && enough(this.played[1])) {
      this.played.shift();
    }
    const [first] = this.played;
    return first && at - first.at >= RATE_MS
      ? ((tick - first.tick) * 1000) / (at - first.at) / tickRate
      : null;
  }
}
