// Keeps what plots show: the measures of the world, and what is selected (where a particle is, how long a constraint
// is, …), over world time. Records only while somebody watches.
//
// Measures come by a stream of their own without bodies, at `perSecond`; what is selected is taken from the live
// stream's frames.
import {effect, signal, untracked, type ReadonlySignal} from '@preact/signals';
import {TYPES, type Client, type Contact, type Frame, type Measures, type Stream} from '../../lib/index.js';
import type {WorldDocument} from './document.js';
import {everyFor, type Frames} from './frames.js';
import {channelsOf, type Channel} from './channels.js';
import {Ring} from './ring.js';
import type {Selection} from './selection.js';
import {addWatcher} from './watchers.js';

export type MeasureName = {[Name in keyof Measures]: Measures[Name] extends number ? Name : never}[keyof Measures];

// In the order of api.json.
export const MEASURES: readonly MeasureName[] = TYPES.measures.fields
  .filter(({type}) => type !== 'map')
  .map(({name}) => name as MeasureName);

const KEPT = 7200;
const PER_SECOND = 30;
const TOLD_EVERY_MS = 100;

export class Recorder {
  // Columns in the order of MEASURES.
  readonly measures = new Ring(MEASURES, KEPT);
  private readonly own = {
    version: signal(0),
    latest: signal<Measures | null>(null),
    contact: signal<Contact | null>(null),
    channels: signal<readonly Channel[]>([]),
    selected: signal(new Ring([], 1)),
  };
  // Grows, at most ten times a second, when there is something new in the rings.
  readonly version: ReadonlySignal<number> = this.own.version;
  readonly latest: ReadonlySignal<Measures | null> = this.own.latest;
  readonly contact: ReadonlySignal<Contact | null> = this.own.contact;
  // What is recorded of what is selected, and their columns in that order; a new ring with each new selection.
  readonly channels: ReadonlySignal<readonly Channel[]> = this.own.channels;
  readonly selected: ReadonlySignal<Ring> = this.own.selected;

  private readonly watchers = signal(0);
  private readonly offs: (() => void)[];
  private stream: Stream | null = null;
  private wanted = '';
  private told = 0;

  constructor(
    private readonly client: Client,
    private readonly document: WorldDocument,
    frames: Frames,
    selection: Selection,
  ) {
    let world = 0;
    this.offs = [
      client.onState((state) => {
        if (state === 'lost') {
          this.drop();
        }
      }),
      effect(() => {
        const watched = this.watchers.value > 0;
        const joined = document.phase.value === 'joined' && document.epoch.value > 0;
        const {tick_rate: tickRate, world: id} = document.settings.value;
        const {state, rate} = document.run.value;
        if (id !== world) {
          world = id;
          this.clear();
        }
        const every = everyFor(tickRate, rate, state === 'playing', PER_SECOND, tickRate);
        void this.follow(watched && joined && !frames.simulated.value ? id : 0, every);
      }),
      // A twin measures for nothing.
      effect(() => {
        if (this.watchers.value === 0 || !frames.simulated.value) {
          return undefined;
        }
        const releases = [untracked(() => frames.want('measures')), untracked(() => frames.want('contact'))];
        return () => releases.forEach((release) => release());
      }),
      frames.onFrame((frame) => this.takeMeasures(frame)),
      effect(() => {
        const channels = this.watchers.value > 0 ? channelsOf(selection.selected.value, document) : [];
        const before = this.own.channels.peek();
        if (channels.map(({key}) => key).join() !== before.map(({key}) => key).join()) {
          this.own.selected.value = new Ring(
            channels.map(({key}) => key),
            KEPT,
          );
        }
        this.own.channels.value = channels;
      }),
      // What is plotted of positions is told to more digits than a picture needs.
      effect(() => (this.own.channels.value.length > 0 ? untracked(() => frames.want('exact')) : undefined)),
      frames.onFrame((frame) => this.takeSelected(frame)),
    ];
  }

  close(): void {
    this.offs.forEach((off) => off());
    this.wanted = '';
    this.drop();
  }

  // Records until the function that is returned is called.
  watch(): () => void {
    return addWatcher(this.watchers);
  }

  clear(): void {
    this.measures.clear();
    this.own.selected.peek().clear();
    this.own.latest.value = null;
    this.own.contact.value = null;
    this.own.version.value = this.own.version.peek() + 1;
  }

  private drop(): void {
    this.stream?.close().catch(() => undefined);
    this.stream = null;
  }

  private async follow(world: number, every: number): Promise<void> {
    const wanted = world === 0 ? '' : `${world} ${every} ${this.document.epoch.peek()}`;
    if (wanted === this.wanted) {
      return;
    }
    this.wanted = wanted;
    this.drop();
    if (world === 0 || this.client.state !== 'open') {
      return;
    }
    try {
      const params = {world, bodies: [], fields: ['measures', 'contact'], every} as const;
      const stream = await this.client.subscribe(params, (frame) => this.takeMeasures(frame));
      if (this.wanted !== wanted) {
        await stream.close();
        return;
      }
      this.stream = stream;
    } catch {
      // The world is gone, or the connection: both are shown elsewhere, and it is tried again when they are back.
      this.wanted = this.wanted === wanted ? '' : this.wanted;
    }
  }

  private takeMeasures(frame: Frame): void {
    if (frame.measures && frame.world === this.document.world.peek()) {
      const {measures} = frame;
      this.measures.push(
        frame.time,
        MEASURES.map((name) => measures[name]),
      );
      this.own.latest.value = measures;
      this.own.contact.value = frame.contact ?? null;
      this.tell();
    }
  }

  private takeSelected(frame: Frame): void {
    const channels = this.own.channels.peek();
    if (channels.length > 0) {
      this.own.selected.peek().push(
        frame.time,
        channels.map((channel) => channel.read(frame)),
      );
      this.tell();
    }
  }

  private tell(): void {
    const now = performance.now();
    if (now - this.told > TOLD_EVERY_MS || !this.document.playing.peek()) {
      this.told = now;
      this.own.version.value = this.own.version.peek() + 1;
    }
  }
}
