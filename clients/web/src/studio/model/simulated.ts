// Where the world that is open is simulated for this page: here, by a twin of it, or at the server, which sends positions.
//
//     automatic    here where the machine keeps up (keeping.ts), else sent
//     here         here wherever that can be, late or not
//     sent         positions
//
// A twin is tried beside the positions, and shown once its state was found equal to the server's and it keeps up; then nothing
// but what decides the future is sent. Views of the past, worlds that failed and those that are too large are sent.
import {computed, effect, signal, untracked, type ReadonlySignal, type Signal} from '@preact/signals';
import {METHODS, openTwin} from '../../lib/index.js';
import type {Client, Twin, TwinHand, TwinStatus, TwinWorker} from '../../lib/index.js';
import type {WorldDocument} from './document.js';
import type {Frames} from './frames.js';
import {beyond, Keeping} from './keeping.js';
import type {Vec3} from './values.js';

export type Computed = 'automatic' | 'here' | 'sent';
export const COMPUTED: readonly Computed[] = ['automatic', 'here', 'sent'];

// What a page has to run twins; null where it has not.
export interface TwinHost {
  // Address of weft-machine.wasm.
  readonly machine: string;
  worker(): TwinWorker;
}

export interface Simulation {
  readonly state: 'sent' | 'trying' | 'here';
  readonly twin: TwinStatus | null;
  // Why it is not simulated here; empty where it is, or nothing stands against it.
  readonly why: string;
}

const TICK_MS = 250;
const DIFFERENCES_MOST = 3;
const PACE_MS = 1000;
const COMPLIANCE = Number(METHODS['grab.begin'].params.find(({name}) => name === 'compliance')?.default ?? 0);
const SENT: Simulation = {state: 'sent', twin: null, why: ''};

export class Simulated {
  readonly choice: Signal<Computed> = signal<Computed>('automatic');
  readonly simulation: ReadonlySignal<Simulation>;

  private readonly own = signal<Simulation>(SENT);
  private readonly offs: (() => void)[] = [];
  private readonly keeping = new Keeping();
  // The open world, set again at each reading of it; empty if there is none to run a twin of.
  private readonly open: ReadonlySignal<string>;
  private twin: Twin | null = null;
  private of = '';
  private resting = false;
  private from: {readonly tick: number; readonly at: number} | null = null;
  private measured: number | null = null;
  private timer: ReturnType<typeof setInterval> | undefined;

  constructor(
    private readonly client: Client,
    private readonly document: WorldDocument,
    private readonly frames: Frames,
    private readonly host: TwinHost | null,
  ) {
    this.simulation = this.own;
    const online = signal(client.state === 'open');
    this.open = computed(() => {
      const there = document.phase.value === 'joined' && document.viewOf.value === 0 && online.value;
      const failed = document.run.value.state === 'failed';
      return there && !failed ? `${document.world.value} ${document.epoch.value}` : '';
    });
    this.offs.push(
      client.onState((state) => (online.value = state === 'open')),
      effect(() => {
        void [this.open.value, document.run.value, document.settings.value, document.bodies.value];
        untracked(() => this.decide());
      }),
      effect(() => {
        void this.choice.value;
        untracked(() => {
          this.keeping.forget();
          this.decide();
        });
      }),
      effect(() => {
        const fields = frames.fields.value;
        this.twin?.set({fields, perSecond: frames.perSecond.value});
      }),
    );
    this.timer = setInterval(() => this.weigh(), TICK_MS);
  }

  close(): void {
    this.offs.forEach((off) => off());
    clearInterval(this.timer);
    this.end();
  }

  // A hand that the twin shows at once, where what it simulates is what is shown.
  hold(
    {body, particle}: {readonly body: number; readonly particle: number},
    target: Vec3,
    compliance = COMPLIANCE,
  ): TwinHand | null {
    const here = this.twin !== null && this.frames.simulated.peek();
    return here ? this.twin!.hold({body, particle, compliance}, target) : null;
  }

  // Why not; empty: nothing stands against it.
  private against(): string {
    const {document} = this;
    if (this.host === null) {
      return 'this page cannot simulate: the module is missing';
    }
    const {substeps, iterations, tick_rate: tickRate} = document.settings.peek();
    const {state, rate} = document.run.peek();
    const particles = [...document.bodies.peek().values()].reduce((sum, body) => sum + body.particles, 0);
    // Who chose it may see it late.
    const asked = state === 'playing' && this.choice.peek() === 'automatic' ? tickRate * rate : 0;
    return beyond({particles, substeps, iterations, ticksPerSecond: asked}) ?? '';
  }

  private decide(): void {
    const open = this.open.peek();
    const choice = this.choice.peek();
    if (open !== this.of) {
      this.end();
      this.keeping.forget();
      this.of = open;
    }
    const why = open === '' || choice === 'sent' ? '' : this.against();
    if (open === '' || choice === 'sent' || why !== '') {
      this.resting = false;
      this.end(why);
    } else if (this.twin === null && this.keeping.ready(performance.now())) {
      this.begin();
    }
  }

  // Positions are sent, and it is tried again later.
  private rest(why: string, now: number): void {
    this.keeping.fail(now);
    this.resting = true;
    this.end(why);
  }

  private begin(): void {
    this.resting = false;
    this.from = this.measured = null;
    this.keeping.begin();
    const twin = openTwin(this.client, {
      world: this.document.world.peek(),
      machine: this.host!.machine,
      worker: this.host!.worker(),
      fields: this.frames.fields.peek(),
      perSecond: this.frames.perSecond.peek(),
    });
    this.twin = twin;
    twin.onFrame((frame) => this.twin === twin && this.frames.simulated.peek() && this.frames.feed(frame));
    twin.onStatus(() => this.twin === twin && this.weigh());
    this.own.value = {state: 'trying', twin: twin.status, why: ''};
  }

  private end(why = ''): void {
    this.twin?.close();
    this.twin = null;
    this.frames.simulated.value = false;
    this.own.value = {...SENT, why};
  }

  private weigh(): void {
    const {twin} = this;
    const now = performance.now();
    if (twin === null) {
      if (this.resting && this.keeping.ready(now)) {
        this.decide();
      }
      return;
    }
    const {status} = twin;
    if (status.state === 'closed') {
      this.rest(status.text, now);
    } else if (status.differences >= DIFFERENCES_MOST && this.choice.peek() === 'automatic') {
      this.rest(`the result differed ${status.differences} times: ${status.text}`, now);
    } else {
      this.show(status, now);
    }
  }

  // Ticks per second that the world really does; null where its time stands, or that is not known yet.
  private pace({toldTick, playing}: TwinStatus, now: number): number | null {
    const {from} = this;
    if (!playing || from === null || toldTick < from.tick) {
      this.from = playing ? {tick: toldTick, at: now} : null;
      this.measured = null;
    } else if (now - from.at >= PACE_MS) {
      this.measured = (1000 * (toldTick - from.tick)) / (now - from.at);
      this.from = {tick: toldTick, at: now};
    }
    return playing ? (this.measured ?? 0) : null;
  }

  private show(twin: TwinStatus, now: number): void {
    // A lost twin starts again, and positions are sent meanwhile.
    const equal = twin.state === 'following' && twin.hashes > 0;
    const pace = this.pace(twin, now);
    const share = pace === null ? null : (twin.msPerTick * pace) / 1000;
    const behindMs = pace === null || pace === 0 ? 0 : (1000 * twin.behind) / pace;
    const verdict = equal ? this.keeping.weigh({share, behindMs}, now) : 'wait';
    if (this.choice.peek() === 'automatic' && verdict === 'sent') {
      this.rest('this machine is too slow for it', now);
      return;
    }
    const here = equal && (this.choice.peek() === 'here' || verdict === 'here');
    this.frames.simulated.value = here;
    this.own.value = {state: here ? 'here' : 'trying', twin, why: ''};
  }
}
