// The past of the world that is open: what there is of it, and going about in it.
//
//     now ──seek()──▶ world.seek ─▶ view ─▶ document.look(view)          one seek at a time, the newest wanted next;
//      ▲               ▲        │                                        the view's stream goes on and brings the
//      │               └─seek()─┘  another revision: look() again        picture of each tick that it is moved to
//      └──back()── document.back()
//
// A seek that takes long gives way to the next: the server leaves it where another one comes.
//
// A server that has no world.seek offers none of it.
import {batch, computed, effect, signal, type ReadonlySignal} from '@preact/signals';
import {
  WeftError,
  type Client,
  type Params,
  type Results,
  type WorldHistoryResult,
} from '../../../lib/index.js';
import type {WorldDocument} from '../document.js';
import {Latest} from '../latest.js';
import {outcome, refused, type Outcome} from '../outcome.js';
import {EditLog} from './log.js';
import type {Range, Stop} from './strip.js';

// world.seek came with it.
const LEVEL = 4;
const POLL_MS = 1000;
const PATIENCE_MS = 300;
const STOPS_KEPT = 1000;
// As many edits are read by themselves; the rest when somebody scrolls to them.
const MARKED = 2000;

export type Branch = Omit<Params['world.branch'], 'world'>;

export class Past {
  private readonly own = {
    level: signal(0),
    history: signal<WorldHistoryResult | null>(null),
    seen: signal(0),
    at: signal<number | null>(null),
    exact: signal(true),
    underWay: signal(0),
    error: signal<WeftError | null>(null),
    stops: signal<readonly Stop[]>([]),
    log: signal(new EditLog(() => Promise.reject(noWorld()))),
  };

  // Whether the server keeps a past that can be shown.
  readonly offered: ReadonlySignal<boolean> = computed(
    () => this.own.level.value >= LEVEL && this.document.home.value !== 0,
  );
  // As of a moment ago; null until it is known.
  readonly history: ReadonlySignal<WorldHistoryResult | null> = this.own.history;
  // Where one wants to be; null: now.
  readonly at: ReadonlySignal<number | null> = this.own.at;
  // Whether the tick that is shown is the one that was asked for: where another solver ran it is the image before it.
  readonly exact: ReadonlySignal<boolean> = this.own.exact;
  readonly busy: ReadonlySignal<boolean> = computed(() => this.own.underWay.value > 0);
  // Why the last seek was refused.
  readonly error: ReadonlySignal<WeftError | null> = this.own.error;
  readonly log: ReadonlySignal<EditLog> = this.own.log;
  // Where this page saw the world stand still, until it was played again.
  readonly stops: ReadonlySignal<readonly Stop[]> = this.own.stops;
  // Whether the picture shows the past.
  readonly shown: ReadonlySignal<boolean> = computed(() => this.document.viewOf.value !== 0);
  // What can be gone to.
  readonly range: ReadonlySignal<Range> = computed(() => {
    const first = this.own.history.value?.first_tick ?? 0;
    // The world is ahead of what was told of it a moment ago.
    const seen = this.shown.value ? this.own.seen.value : this.document.tick.value;
    return {first, last: Math.max(first, this.own.history.value?.tick ?? 0, seen)};
  });

  private readonly seeks = new Latest<number>((tick) => this.go(tick), PATIENCE_MS);
  private readonly offs: (() => void)[];
  private watchers = 0;
  private timer: ReturnType<typeof setInterval> | null = null;
  private reading = false;
  // Since when it stands, and where, as far as this page saw it.
  private stood: {readonly tick: number; readonly since: number} | null = null;
  // Counts departures: what was asked before one is not shown after it.
  private journey = 0;

  constructor(
    private readonly client: Client,
    private readonly document: WorldDocument,
  ) {
    let home = 0;
    let session = 0;
    this.offs = [
      client.onState(() => this.meet()),
      effect(() => {
        const now = document.home.value;
        const epoch = document.epoch.value;
        const {session: mine = 0} = client.hello ?? {};
        // On a restarted server the same number may belong to another world.
        if (now !== home || (mine !== session && epoch > 0)) {
          const same = now === home;
          home = now;
          session = mine;
          this.begin(same);
        }
      }),
      // A view ends with the connection; who was in the past goes back there.
      effect(() => {
        const joined = document.phase.value === 'joined' && document.viewOf.value === 0 && document.epoch.value > 0;
        const at = this.own.at.peek();
        if (joined && at !== null && !this.busy.peek()) {
          queueMicrotask(() => this.own.at.peek() !== null && this.seeks.push(at));
        }
      }),
      client.on('world.changed', ({world, state, tick}) => {
        if (world === document.home.peek()) {
          this.see(state === 'playing', tick);
        }
        if (state === 'deleted' && document.viewOf.peek() !== 0 && world === document.world.peek()) {
          void this.back();
        }
      }),
    ];
    this.meet();
  }

  close(): void {
    this.offs.forEach((off) => off());
    this.seeks.cancel();
    if (this.timer !== null) {
      clearInterval(this.timer);
    }
  }

  // Keeps history and log fresh until the function that is returned is called.
  watch(): () => void {
    if (this.watchers++ === 0) {
      void this.refresh();
      this.timer = setInterval(() => void this.refresh(), POLL_MS);
    }
    let released = false;
    return () => {
      if (released) {
        return;
      }
      released = true;
      if (--this.watchers === 0 && this.timer !== null) {
        clearInterval(this.timer);
        this.timer = null;
      }
    };
  }

  // Shows a tick of the past. Of many that are asked for one right after the other, the last is shown.
  seek(tick: number): void {
    const {first, last} = this.range.peek();
    const wanted = Math.max(first, Math.min(last, Math.round(tick)));
    this.own.seen.value = last;
    this.own.at.value = wanted;
    this.seeks.push(wanted);
  }

  // Goes to a moment that a link names, unless it is not kept. Says what is.
  async visit(tick: number): Promise<Outcome<Range & {readonly kept: boolean}>> {
    const world = this.document.home.peek();
    const told = await outcome(this.client.call('world.history', {world}));
    if (!told.ok) {
      return told;
    }
    const range = {first: told.result.first_tick, last: told.result.tick};
    const kept = tick >= range.first && tick <= range.last;
    if (kept && this.document.home.peek() === world) {
      this.own.history.value = told.result;
      this.seek(tick);
    }
    return {ok: true, result: {...range, kept}};
  }

  async back(): Promise<void> {
    this.seeks.cancel();
    this.journey++;
    batch(() => {
      this.own.at.value = null;
      this.own.exact.value = true;
      this.own.error.value = null;
    });
    await this.document.back();
  }

  // A world of a moment of the past; without `tick` of the last one.
  branch(params: Branch): Promise<Outcome<Results['world.branch']>> {
    const world = this.document.home.peek();
    if (world === 0) {
      return Promise.resolve(refused(noWorld()));
    }
    return outcome(this.client.call('world.branch', {...params, world}));
  }

  // -- seeking

  private async go(tick: number): Promise<void> {
    const journey = this.journey;
    const home = this.document.home.peek();
    if (home === 0) {
      return;
    }
    this.own.underWay.value++;
    const done = await outcome(this.client.call('world.seek', {world: home, tick}));
    if (journey === this.journey && this.document.home.peek() === home) {
      await this.show(done);
    } else if (done.ok) {
      // Gone back meanwhile: nobody wants this view.
      this.client.call('world.leave', {world: done.result.view}).catch(() => undefined);
    }
    this.own.underWay.value--;
  }

  private async show(done: Outcome<Results['world.seek']>): Promise<void> {
    if (!done.ok) {
      // A newer seek came before this one was answered, or the connection is lost and it will be asked again.
      if (done.error.code !== 'CONFLICT' && done.error.code !== 'LOST' && done.error.code !== 'CLOSED') {
        this.own.error.value = done.error;
        this.own.at.value = this.shown.peek() ? this.document.tick.peek() : null;
      }
      return;
    }
    const {view, revision, exact} = done.result;
    batch(() => {
      this.own.error.value = null;
      this.own.exact.value = exact;
    });
    if (this.document.world.peek() !== view || this.document.revision.peek() !== revision) {
      const journey = this.journey;
      await this.document.look(view);
      if (journey !== this.journey) {
        await this.document.back();
      }
    }
  }

  // -- what there is

  private see(playing: boolean, tick: number): void {
    const {stood} = this;
    const now = performance.now();
    if (!playing) {
      this.stood = stood?.tick === tick ? stood : {tick, since: now};
      return;
    }
    this.stood = null;
    // Where it was stepped meanwhile, nobody knows how long it stood at which tick.
    if (stood?.tick === tick) {
      const stop = {tick, seconds: (now - stood.since) / 1000};
      this.own.stops.value = [...this.own.stops.peek().slice(1 - STOPS_KEPT), stop];
    }
  }

  private meet(): void {
    this.own.level.value = this.client.hello?.api_level ?? 0;
  }

  // Another world, or the same one by another connection (then one stays where one is).
  private begin(same: boolean): void {
    this.seeks.cancel();
    this.journey++;
    const world = this.document.home.peek();
    batch(() => {
      if (!same) {
        this.own.at.value = null;
        this.own.exact.value = true;
      }
      this.stood = null;
      this.own.stops.value = [];
      this.own.seen.value = 0;
      this.own.history.value = null;
      this.own.error.value = null;
      this.own.log.value = new EditLog((since, limit) => this.client.call('edit.log', {world, since, limit}));
    });
    if (this.watchers > 0) {
      void this.refresh();
    }
  }

  private async refresh(): Promise<void> {
    const world = this.document.home.peek();
    if (world === 0 || !this.offered.peek() || this.client.state !== 'open' || this.reading) {
      return;
    }
    this.reading = true;
    const told = await outcome(this.client.call('world.history', {world}));
    if (told.ok && this.document.home.peek() === world) {
      this.own.history.value = told.result;
      await this.readLog();
    }
    this.reading = false;
  }

  private async readLog(): Promise<void> {
    const log = this.own.log.peek();
    const read = await log.newer();
    if (read.ok && log.more.peek() && log.edits.peek().length < MARKED) {
      await log.older();
    }
  }
}

function noWorld(): WeftError {
  return new WeftError({kind: 0, code: 'LOST', text: 'no world is open'});
}
