// How well the solver converged: what the server warns of, and its figures by body while somebody watches.
import {effect, signal, type ReadonlySignal} from '@preact/signals';
import type {Client, Convergence as Converged, PressureMeasure, ShapeMeasure, Warning} from '../../lib/index.js';
import type {WorldDocument} from './document.js';
import {outcome} from './outcome.js';
import {addWatcher} from './watchers.js';

// The share of bending that is not resolved, by body: 0 ... 1.
export function bendShares(bodies: readonly Converged[]): ReadonlyMap<number, number> {
  return new Map(bodies.map(({body, unresolved_bend: share}) => [body, share]));
}

// world.warned came with it.
const LEVEL = 7;
const EVERY_MS = 1000;

export class Convergence {
  private readonly own = {
    bodies: signal<readonly Converged[]>([]),
    warnings: signal<readonly Warning[]>([]),
    pressures: signal<readonly PressureMeasure[]>([]),
    shapes: signal<readonly ShapeMeasure[]>([]),
  };
  // By body, as of the last time that the server was asked.
  readonly bodies: ReadonlySignal<readonly Converged[]> = this.own.bodies;
  readonly warnings: ReadonlySignal<readonly Warning[]> = this.own.warnings;
  // Volumes and pressures inside bodies, measured at the same time. Older servers do not tell them.
  readonly pressures: ReadonlySignal<readonly PressureMeasure[]> = this.own.pressures;
  // How bodies with shape matching lie. Older servers do not tell it.
  readonly shapes: ReadonlySignal<readonly ShapeMeasure[]> = this.own.shapes;

  private readonly watchers = signal(0);
  private readonly offs: (() => void)[];

  constructor(
    private readonly client: Client,
    private readonly document: WorldDocument,
  ) {
    this.offs = [
      client.on('world.warned', (notice) => {
        if (notice.world === document.world.peek()) {
          this.own.warnings.value = notice.warnings;
        }
      }),
      // world.measure has the warnings that were told before this page joined.
      effect(() => {
        const {phase, epoch, world} = document;
        void epoch.value;
        this.own.bodies.value = [];
        this.own.warnings.value = [];
        this.own.pressures.value = [];
        this.own.shapes.value = [];
        if (phase.value === 'joined' && world.value !== 0) {
          void this.refresh();
        }
      }),
      effect(() => {
        if (this.watchers.value === 0) {
          return undefined;
        }
        void this.refresh();
        const timer = setInterval(() => void this.refresh(), EVERY_MS);
        return () => clearInterval(timer);
      }),
    ];
  }

  close(): void {
    this.offs.forEach((off) => off());
  }

  // Asks for the figures each second until the function that is returned is called.
  watch(): () => void {
    return addWatcher(this.watchers);
  }

  private async refresh(): Promise<void> {
    const world = this.document.world.peek();
    if (this.document.phase.peek() !== 'joined' || (this.client.hello?.api_level ?? 0) < LEVEL) {
      return;
    }
    const told = await outcome(this.client.call('world.measure', {world}));
    if (told.ok && this.document.world.peek() === world) {
      this.own.bodies.value = told.result.convergence;
      this.own.warnings.value = told.result.warnings;
      this.own.pressures.value = told.result.pressures ?? [];
      this.own.shapes.value = told.result.shapes ?? [];
    }
  }
}
