// Measures kept up to date. What is seen is computed from what the picture shows; forces are asked of the server while it plays and
// after each edit.
//
//     picked ──enough points──▶ measures ──each frame, at most every 125 ms──▶ readings
import {effect, signal, type ReadonlySignal} from '@preact/signals';
import type {App} from './app.js';
import {
  angleReading,
  bodyReading,
  distanceReading,
  POINTS,
  type Measure,
  type Picked,
  type Reading,
} from './measures.js';
import {forceText} from './quantities.js';
import {numbersOf, u32sOf, type Vec3} from './values.js';

const READ_MS = 125;
const ASK_MS = 500;
const GONE: Reading = {text: 'gone', more: 'What it measured is not there any more.'};
const WAITS: Reading = {text: '…', more: ''};

type Added = Measure extends infer M ? (M extends Measure ? Omit<M, 'id'> : never) : never;

export class Measuring {
  private readonly own = {
    readings: signal<ReadonlyMap<number, Reading>>(new Map()),
    kind: signal<Picked>('distance'),
  };
  readonly readings: ReadonlySignal<ReadonlyMap<number, Reading>> = this.own.readings;
  // The kind of measure that the next points make.
  readonly kind: ReadonlySignal<Picked> = this.own.kind;
  private readonly forces = new Map<number, Reading>();
  private readonly offs: (() => void)[];
  private readonly timer: ReturnType<typeof setInterval>;
  private next = 1;
  private readAt = -Infinity;
  private waiting: ReturnType<typeof setTimeout> | null = null;
  private asked = '';
  private asking = false;
  private world = '';

  constructor(private readonly app: App) {
    const {document, frames, viewState} = app;
    this.offs = [
      effect(() => {
        // Those of another world mean nothing here.
        const name = document.name.value;
        if (name !== this.world && this.world !== '') {
          viewState.measures.value = [];
          viewState.picked.value = [];
        }
        this.world = name;
      }),
      effect(() => {
        const {picked} = viewState;
        if (picked.value.length >= POINTS[this.own.kind.value]) {
          const kind = this.own.kind.peek();
          const anchors = picked.value.slice(0, POINTS[kind]);
          picked.value = [];
          this.add({kind, anchors});
        }
      }),
      effect(() => {
        void [viewState.measures.value, document.bodies.value, document.colliders.value, document.grabs.value];
        this.soon();
      }),
      frames.onFrame(() => this.soon()),
    ];
    this.timer = setInterval(() => void this.ask(), ASK_MS);
  }

  close(): void {
    this.offs.forEach((off) => off());
    clearInterval(this.timer);
    if (this.waiting !== null) {
      clearTimeout(this.waiting);
    }
  }

  choose(kind: Picked): void {
    this.app.viewState.picked.value = [];
    this.own.kind.value = kind;
  }

  add(measure: Added): void {
    const {measures} = this.app.viewState;
    measures.value = [...measures.peek(), {...measure, id: this.next++}];
    this.asked = '';
    void this.ask();
  }

  remove(id: number): void {
    const {measures} = this.app.viewState;
    measures.value = measures.peek().filter((measure) => measure.id !== id);
    this.forces.delete(id);
  }

  // -- what is seen

  private soon(): void {
    const wait = this.readAt + READ_MS - performance.now();
    if (this.app.viewState.measures.peek().length > 0 && this.waiting === null) {
      // A frame is drawn a little after it came.
      this.waiting = setTimeout(() => {
        this.waiting = null;
        this.read();
      }, Math.max(30, wait));
    }
  }

  private read(): void {
    this.readAt = performance.now();
    const readings = new Map(this.app.viewState.measures.peek().map((one) => [one.id, this.readingOf(one)]));
    const before = this.own.readings.peek();
    const same = ([id, {text, more}]: [number, Reading]) => before.get(id)?.text === text && before.get(id)?.more === more;
    if (readings.size !== before.size || ![...readings].every(same)) {
      this.own.readings.value = readings;
    }
  }

  private readingOf(measure: Measure): Reading {
    const {document, view} = this.app;
    switch (measure.kind) {
      case 'distance':
      case 'angle': {
        const places = measure.anchors.map((anchor) => view?.placeOf(anchor) ?? null);
        const [a, b, c] = places;
        if (!a || !b || (measure.kind === 'angle' && !c)) return GONE;
        return measure.kind === 'distance' ? distanceReading(a, b) : angleReading(a, b, c!);
      }
      case 'area':
      case 'length':
      case 'volume': {
        const topology = document.bodies.peek().get(measure.body)?.topology;
        const positions = view?.drawn(measure.body);
        return topology && positions ? bodyReading(measure.kind, topology, positions) : GONE;
      }
      case 'pull': {
        if (!document.bodies.peek().has(measure.body)) return GONE;
        const grabs = [...document.grabs.peek().values()].filter(({body}) => body === measure.body);
        const sum = grabs.reduce<Vec3>((all, {force}) => [all[0] + force[0], all[1] + force[1], all[2] + force[2]], [0, 0, 0]);
        const hands = grabs.length === 1 ? '1 hand' : `${grabs.length} hands`;
        return {text: forceText(Math.hypot(...sum)), more: grabs.length === 0 ? 'nobody pulls' : hands};
      }
      default:
        return this.forces.get(measure.id) ?? WAITS;
    }
  }

  // -- what is asked

  private async ask(): Promise<void> {
    const {document, viewState, client} = this.app;
    const wanted = viewState.measures.peek().filter(({kind}) => kind === 'force' || kind === 'pin');
    const moment = `${document.world.peek()} ${document.tick.peek()} ${document.revision.peek()}`;
    if (wanted.length === 0 || this.asking || moment === this.asked || client.state !== 'open') {
      return;
    }
    this.asking = true;
    this.asked = moment;
    for (const measure of wanted) {
      try {
        this.forces.set(measure.id, await this.forceOf(measure));
      } catch {
        // It is asked again.
        this.asked = '';
      }
    }
    this.asking = false;
    this.read();
  }

  private async forceOf(measure: Measure): Promise<Reading> {
    const {document, client} = this.app;
    if (measure.kind === 'force') {
      const told = await document.constraints.read(measure.type, measure.constraint);
      return told ? {text: forceText(Math.abs(told.force)), more: ''} : GONE;
    }
    if (measure.kind !== 'pin' || !document.bodies.peek().has(measure.body)) {
      return GONE;
    }
    const told = await client.call('body.get', {world: document.world.peek(), body: measure.body});
    const at = u32sOf(told.pins).indexOf(measure.particle);
    const forces = numbersOf(told.pin_forces);
    const hard = (numbersOf(told.pin_compliances)?.[at] ?? 0) === 0;
    if (at < 0) return {text: 'not pinned', more: ''};
    if (hard || !forces) return {text: 'unknown', more: 'a hard pin; a soft one tells its force'};
    return {text: forceText(Math.hypot(forces[3 * at] ?? 0, forces[3 * at + 1] ?? 0, forces[3 * at + 2] ?? 0)), more: ''};
  }
}

// The one of a page.
let made: {readonly app: App; readonly measuring: Measuring} | null = null;

export function measuringOf(app: App): Measuring {
  if (made?.app !== app) {
    made?.measuring.close();
    made = {app, measuring: new Measuring(app)};
  }
  return made.measuring;
}


