// A twin that runs by itself, on any thread: it takes messages, runs the ticks that are due, and gives the states of
// its world as frames.
//
//     begin · take · want · taken · hand ──▶ Runner ──▶ frame · status · lost
//
// It gives no more frames than are taken: at most two are on their way, and others are left out.
import type {GrabSummary} from '../api.generated.js';
import type {Machine, MachineMember, MachineModule} from '../machine.js';
import type {Chunk, Frame} from '../types.js';
import {Ahead, type AheadMeans, type HandDoes} from './ahead.js';
import {TwinCore} from './core.js';
import type {TwinBounds, TwinField, TwinStatus} from './types.js';

export const NO_STATUS: TwinStatus = {
  state: 'loading',
  tick: 0,
  toldTick: 0,
  sameTick: 0,
  hashes: 0,
  differences: 0,
  images: 0,
  records: 0,
  losses: 0,
  delayMs: 0,
  msPerTick: 0,
  behind: 0,
  ahead: 0,
  playing: false,
  rate: 1,
  ticksPerSecond: 0,
  bytes: 0,
  imageBytes: 0,
  memory: 0,
  text: '',
};

/** A frame of a twin: like one of a stream, without the fields of streams. */
export type Moment = Omit<Frame, 'receivedAt' | 'world' | 'seq' | 'dropped'>;

export type Told =
  | {readonly kind: 'begin'; readonly module: WebAssembly.Module; readonly bounds: TwinBounds; readonly threads: number}
  /** Images from now on are opened in this module, which has all kinds. */
  | {readonly kind: 'widen'; readonly module: WebAssembly.Module}
  | {readonly kind: 'take'; readonly params: unknown; readonly atMs: number; readonly bytes: number}
  | {readonly kind: 'want'; readonly fields: readonly TwinField[]; readonly perSecond: number}
  | {readonly kind: 'taken'}
  /** The connection is gone, so the server does not hear of drags. */
  | {readonly kind: 'alone'}
  /** latencyMs: round trip to the server. */
  | {
      readonly kind: 'hand';
      readonly hand: number;
      readonly told: HandDoes;
      readonly atMs: number;
      readonly latencyMs: number;
    };

export type Tells =
  | {readonly kind: 'frame'; readonly moment: Moment}
  | {readonly kind: 'status'; readonly status: TwinStatus}
  | {readonly kind: 'lost'; readonly status: TwinStatus; readonly differs: boolean}
  /** Nothing runs until the full module comes, and an image. */
  | {readonly kind: 'needs'; readonly status: TwinStatus};

/** Milliseconds since 1970 by a monotonic clock, about the same on all threads of a page. */
export function clockMs(): number {
  return performance.timeOrigin + performance.now();
}

const TURN_MS = 16; // then messages are taken
const POLL_MS = 4;
const STATUS_MS = 200;
const WEIGHT = 0.08; // weight of the newest tick in the average
const UNTAKEN = 2;
const PASSED_MOST = 2; // frames in a row; a world that is later than that is shown as it is
const SHARE = 0.8; // share of a frame's time for its ticks and for predicted ones
const BUSY = 0.25; // share of the time from which other threads are asked to take part
const ARRAYS = ['positions', 'velocities', 'normals'] as const;

export class Runner {
  private core: TwinCore | null = null;
  private fields: readonly TwinField[] = ['positions'];
  private perSecond = 60;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private msPerTick = 0;
  private bytes = 0;
  private losses = 0;
  private images = 0;
  private toldAt = 0;
  private stale = false;
  private untaken = 0;
  private passed = 0;
  /** The last frame was a prediction. */
  private guessed = false;
  private readonly ahead = new Ahead();
  private latencyMs = 0;
  private text = '';
  private busy = false;
  private threads = 1;
  private crewed: MachineModule | null = null;

  /** `hire` starts a thread that takes part. */
  constructor(
    private readonly tell: (tells: Tells, moved: Transferable[]) => void,
    private readonly hire?: (member: MachineMember) => void,
  ) {}

  hear(told: Told): void {
    switch (told.kind) {
      case 'begin':
        this.core = new TwinCore(told.module, told.bounds);
        this.threads = told.threads;
        break;
      case 'widen':
        this.core?.widen(told.module);
        break;
      case 'take':
        this.bytes += told.bytes;
        this.core?.take(told.params, 1000 * told.atMs);
        break;
      case 'want':
        this.fields = told.fields;
        this.perSecond = told.perSecond;
        this.stale = true;
        break;
      case 'taken':
        this.untaken = Math.max(0, this.untaken - 1);
        break;
      case 'alone':
        this.ahead.forget();
        break;
      case 'hand':
        this.latencyMs = told.latencyMs;
        this.ahead.hear(told.hand, told.told, told.atMs);
        return; // until the next frame: drags may need more than the ticks can take
    }
    this.turn();
  }

  close(): void {
    clearTimeout(this.timer);
    this.core?.close();
    this.core = null;
  }

  private turn(): void {
    const {core} = this;
    // Members on this thread may answer while it runs.
    if (core === null || this.busy) {
      return;
    }
    clearTimeout(this.timer);
    this.busy = true;
    try {
      this.work(core);
    } finally {
      this.busy = false;
    }
  }

  private work(core: TwinCore): void {
    const behind = this.run(core);
    this.tellLoss(core);
    const isOwed = this.guessed ? this.ahead.idle || !core.playing : this.stale && !core.playing;
    if (isOwed && core.lost === null && behind === 0) {
      this.give(core);
    }
    const now = clockMs();
    // A paused world has nothing new to report later.
    if (now - this.toldAt >= STATUS_MS || !core.playing) {
      this.toldAt = now;
      this.tell({kind: 'status', status: this.status(core, behind)}, []);
    }
    if (core.lost === null && (core.playing || behind > 0)) {
      this.timer = setTimeout(() => this.turn(), behind > 0 ? 0 : POLL_MS);
    }
  }

  // Runs the ticks that are due, for a while; returns how many are left.
  private run(core: TwinCore): number {
    const begun = clockMs();
    let now = begun;
    const applied = core.applied;
    core.machine?.showContacts(this.fields.includes('contacts'));
    for (;;) {
      if (!core.step(core.wanted(1000 * now))) {
        break;
      }
      const after = clockMs();
      this.msPerTick += (this.msPerTick === 0 ? 1 : WEIGHT) * (after - now - this.msPerTick);
      now = after;
      this.stale = true;
      this.crew(core);
      if (core.lost === null && core.tick % this.every(core) === 0 && !this.isPassing(core, now)) {
        this.give(core);
        now = clockMs();
      }
      if (now - begun > TURN_MS) {
        break;
      }
    }
    if (core.applied !== applied || core.images !== this.images) {
      this.images = core.images;
      this.stale = true;
    }
    return core.lost === null ? Math.max(0, core.wanted(1000 * now) - core.tick) : 0;
  }

  // Whether the next tick is due already. Then a single frame cannot be predicted: it is left out, unless there were
  // too many.
  private isPassing(core: TwinCore, now: number): boolean {
    const due = core.wanted(1000 * now) > core.tick;
    this.passed = due && !this.ahead.idle ? this.passed + 1 : 0;
    return this.passed > 0 && this.passed <= PASSED_MOST;
  }

  // Short ticks are fastest on one thread.
  private crew(core: TwinCore): void {
    const busy = (this.msPerTick / 1000) * core.ticksPerSecond * core.rate;
    if (this.hire === undefined || core.module === this.crewed || (core.rate > 0 && busy < BUSY)) {
      return;
    }
    this.crewed = core.module;
    for (let thread = 1; thread < this.threads; thread++) {
      const member = core.module?.member();
      if (member) {
        this.hire(member);
      }
    }
  }

  // Number of ticks between two frames, so that there are no more than wanted.
  private every(core: TwinCore): number {
    const ticks = core.rate > 0 ? core.ticksPerSecond * core.rate : core.ticksPerSecond;
    return core.playing ? Math.max(1, Math.floor(ticks / this.perSecond + 1e-9)) : 1;
  }

  private tellLoss(core: TwinCore): void {
    if (core.losses !== this.losses) {
      this.losses = core.losses;
      this.ahead.forget();
      this.text = core.lost ?? '';
      const status = this.status(core, 0);
      this.tell(core.needs === '' ? {kind: 'lost', status, differs: core.differs} : {kind: 'needs', status}, []);
    }
  }

  private status(core: TwinCore, behind: number): TwinStatus {
    return {
      state: core.lost === null ? 'following' : 'joining',
      tick: core.tick,
      toldTick: core.toldTick,
      sameTick: core.sameTick,
      hashes: core.hashes,
      differences: core.differences,
      images: core.images,
      records: core.applied,
      losses: core.losses,
      delayMs: core.clock.delayUs / 1000,
      msPerTick: this.msPerTick,
      behind,
      ahead: core.playing ? this.ahead.shown : 0,
      playing: core.playing,
      rate: core.rate,
      ticksPerSecond: core.ticksPerSecond,
      bytes: this.bytes,
      imageBytes: core.imageBytes,
      memory: core.memory,
      text: this.text,
    };
  }

  private give(core: TwinCore): void {
    const {machine} = core;
    if (this.untaken < UNTAKEN && machine !== null) {
      this.untaken++;
      this.stale = false;
      const {moment, moved} = this.moment(core, machine);
      const ahead = this.lookAhead(core, machine, moved);
      this.guessed = ahead !== null;
      this.tell({kind: 'frame', moment: ahead === null ? moment : {...moment, ahead}}, moved);
    }
  }

  // A prediction to draw instead, while something is dragged and there is time for it. A world that is late or paused
  // is shown as it is.
  private lookAhead(core: TwinCore, machine: Machine, moved: Transferable[]): Moment['ahead'] | null {
    const perMs = core.ticksPerSecond * core.rate * 1e-3;
    const isEven = core.playing && !core.failed && perMs > 0 && core.wanted(1000 * clockMs()) <= machine.tick;
    if (!isEven) {
      this.ahead.pause();
    }
    if (this.ahead.idle || !isEven) {
      return null;
    }
    const ticksPerFrame = this.every(core);
    const means: AheadMeans = {
      nowMs: clockMs(),
      leadMs: this.latencyMs + core.clock.delayUs / 1000 + 0.5 / perMs,
      ticksPerMs: perMs,
      ticksPerFrame,
      freeMs: (SHARE * ticksPerFrame) / perMs - ticksPerFrame * this.msPerTick,
      msPerTick: this.msPerTick,
    };
    return core.aside(() =>
      this.ahead.run(machine, means, (ticks) => {
        const {chunks, buffer} = this.chunks(machine);
        moved.push(buffer);
        return {ticks, bodies: chunks, ...(this.fields.includes('colliders') && {colliders: machine.part('colliders')})};
      }),
    );
  }

  private moment(core: TwinCore, machine: Machine): {moment: Moment; moved: Transferable[]} {
    const {tick, revision} = machine;
    const bodies = this.chunks(machine);
    const moment: {-readonly [K in keyof Moment]: Moment[K]} = {
      tick,
      substep: 0,
      time: tick / core.ticksPerSecond,
      revision,
      bodies: bodies.chunks,
    };
    const wants = (field: TwinField) => this.fields.includes(field);
    if (wants('measures')) {
      moment.measures = {...machine.part('measures'), tick_us: 1000 * this.msPerTick};
    }
    if (wants('grabs')) {
      moment.grabs = machine.part('grabs').map((grab: GrabSummary) => ({...grab, ...core.holders.get(grab.grab)}));
    }
    if (wants('colliders')) {
      moment.colliders = machine.part('colliders');
    }
    if (wants('contact')) {
      moment.contact = machine.part('contact');
    }
    if (wants('contacts')) {
      moment.contacts = machine.part('contacts');
    }
    if (wants('asleep')) {
      moment.asleep = machine.part('asleep');
    }
    return {moment, moved: [bodies.buffer]};
  }

  // All arrays are in one buffer, which is transferred to the receiver of the frame.
  private chunks(machine: Machine): {chunks: Chunk[]; buffer: ArrayBuffer} {
    const wanted = ARRAYS.filter((name) => this.fields.includes(name));
    const bodies = machine.bodies();
    const count = bodies.reduce((sum, {particles}) => sum + 3 * particles * wanted.length, 0);
    const floats = new Float32Array(count);
    let at = 0;
    const chunks: Chunk[] = bodies.map(({id, particles}) => {
      const arrays = wanted.map((name) => {
        const array = machine.array(id, name, floats.subarray(at, at + 3 * particles));
        at += 3 * particles;
        return [name, array];
      });
      return {body: id, first: 0, count: particles, ...Object.fromEntries(arrays)};
    });
    if (this.fields.includes('rotations')) {
      chunks.forEach((chunk, i) => {
        const rotations = machine.array(chunk.body, 'rotations');
        if (rotations.length > 0) {
          chunks[i] = {...chunk, rotations};
        }
      });
    }
    if (this.fields.includes('skin')) {
      chunks.push(...bodies.flatMap(({id}) => this.skin(machine, id)));
    }
    return {chunks: wanted.length > 0 || this.fields.includes('skin') ? chunks : [], buffer: floats.buffer};
  }

  private skin(machine: Machine, body: number): Chunk[] {
    const skin = machine.array(body, 'skin');
    return skin.length > 0 ? [{body, first: 0, count: skin.length / 3, skin}] : [];
  }
}
