// What is selected, and what the pointer is over. Things that are removed leave the selection by themselves.
import {computed, effect, signal, type ReadonlySignal} from '@preact/signals';
import type {WorldDocument} from './document.js';
import type {ConstraintKind} from './values.js';

export type Thing =
  | {readonly kind: 'body'; readonly body: number}
  | {readonly kind: 'particle'; readonly body: number; readonly particle: number}
  | {readonly kind: 'constraint'; readonly constraint: number; readonly type: ConstraintKind}
  | {readonly kind: 'collider'; readonly collider: number}
  | {readonly kind: 'force'; readonly force: number}
  | {readonly kind: 'wind'};

export interface Selected {
  readonly bodies: ReadonlySet<number>;
  // By body, ascending indices, none empty.
  readonly particles: ReadonlyMap<number, Uint32Array>;
  // Kind by id.
  readonly constraints: ReadonlyMap<number, ConstraintKind>;
  readonly colliders: ReadonlySet<number>;
  // Fields of force.
  readonly forces: ReadonlySet<number>;
  readonly wind: boolean;
}

// replace: only this; add, remove, toggle: as well as what is.
export type SelectMode = 'replace' | 'add' | 'remove' | 'toggle';

export const NOTHING_SELECTED: Selected = {
  bodies: new Set(),
  particles: new Map(),
  constraints: new Map(),
  colliders: new Set(),
  forces: new Set(),
  wind: false,
};

function inSet(set: ReadonlySet<number>, ids: readonly number[], mode: SelectMode): ReadonlySet<number> {
  const copy = new Set(mode === 'replace' ? [] : set);
  for (const id of ids) {
    if (mode === 'remove' || (mode === 'toggle' && copy.has(id))) {
      copy.delete(id);
    } else {
      copy.add(id);
    }
  }
  return copy;
}

// With `things` taken into account as `mode` says.
export function select(selected: Selected, things: readonly Thing[], mode: SelectMode): Selected {
  const from = mode === 'replace' ? NOTHING_SELECTED : selected;
  const bodies: number[] = [];
  const colliders: number[] = [];
  const forces: number[] = [];
  const particles = new Map<number, number[]>();
  const constraints = new Map(from.constraints);
  let {wind} = from;
  for (const thing of things) {
    switch (thing.kind) {
      case 'body':
        bodies.push(thing.body);
        break;
      case 'collider':
        colliders.push(thing.collider);
        break;
      case 'force':
        forces.push(thing.force);
        break;
      case 'particle':
        particles.set(thing.body, particles.get(thing.body) ?? []);
        particles.get(thing.body)!.push(thing.particle);
        break;
      case 'constraint':
        if (mode === 'remove' || (mode === 'toggle' && constraints.has(thing.constraint))) {
          constraints.delete(thing.constraint);
        } else {
          constraints.set(thing.constraint, thing.type);
        }
        break;
      case 'wind':
        wind = mode === 'toggle' ? !wind : mode !== 'remove';
        break;
    }
  }
  return {
    bodies: inSet(from.bodies, bodies, mode),
    colliders: inSet(from.colliders, colliders, mode),
    forces: inSet(from.forces, forces, mode),
    particles: withParticles(from.particles, particles, mode),
    constraints,
    wind,
  };
}

// The same of particles alone, by their bodies.
export function withParticles(
  from: Selected['particles'],
  given: ReadonlyMap<number, ArrayLike<number>>,
  mode: SelectMode,
): Selected['particles'] {
  const all = new Map(from);
  for (const [body, indices] of given) {
    const sorted = (indices instanceof Uint32Array ? indices.slice() : Uint32Array.from(indices)).sort();
    const left = joined(all.get(body) ?? NO_PARTICLES, sorted, mode);
    if (left.length > 0) {
      all.set(body, left);
    } else {
      all.delete(body);
    }
  }
  return all;
}

const NO_PARTICLES = new Uint32Array(0);

// Two ascending lists as one, by what `mode` says of those that are in the first, the second or both. There may be
// half a million of them, so they are met in step rather than one by one in a set.
function joined(had: Uint32Array, given: Uint32Array, mode: SelectMode): Uint32Array {
  const out = new Uint32Array(had.length + given.length);
  let count = 0;
  let a = 0;
  let b = 0;
  while (a < had.length || b < given.length) {
    const one = a < had.length ? had[a] : Infinity;
    const other = b < given.length ? given[b] : Infinity;
    const index = Math.min(one, other);
    const kept =
      one === other ? mode === 'add' || mode === 'replace' : one < other ? true : mode !== 'remove';
    if (kept) {
      out[count++] = index;
    }
    while (a < had.length && had[a] === index) a++;
    while (b < given.length && given[b] === index) b++;
  }
  return out.slice(0, count);
}

function isEmpty(selected: Selected): boolean {
  return (
    selected.bodies.size === 0 &&
    selected.particles.size === 0 &&
    selected.constraints.size === 0 &&
    selected.colliders.size === 0 &&
    selected.forces.size === 0 &&
    !selected.wind
  );
}

export class Selection {
  private readonly own = signal<Selected>(NOTHING_SELECTED);

  readonly selected: ReadonlySignal<Selected> = this.own;
  readonly empty: ReadonlySignal<boolean> = computed(() => isEmpty(this.own.value));
  // How many particles.
  readonly particleCount: ReadonlySignal<number> = computed(() =>
    [...this.own.value.particles.values()].reduce((sum, particles) => sum + particles.length, 0),
  );
  // What the pointer is over.
  readonly hovered = signal<Thing | null>(null);

  private readonly offs: (() => void)[];

  constructor(private readonly document: WorldDocument) {
    let world = document.world.peek();
    let name = document.name.peek();
    this.offs = [
      effect(() => {
        if (document.world.value !== world) {
          world = document.world.value;
          this.hovered.value = null;
          // A restarted server gives the same world another id: the selection in it stays.
          if (world !== 0 && document.name.peek() !== name) {
            this.own.value = NOTHING_SELECTED;
          }
        }
        name = world === 0 ? name : document.name.value;
      }),
      effect(() => this.prune()),
      // What is shown of a world that is gone has nothing to be taken hold of.
      effect(() => {
        if (document.phase.value === 'deleted') this.clear();
      }),
      document.constraints.onRemoved((gone) => this.dropConstraints(gone)),
    ];
  }

  close(): void {
    this.offs.forEach((off) => off());
  }

  select(things: readonly Thing[], mode: SelectMode = 'replace'): void {
    this.own.value = select(this.own.peek(), things, mode);
  }

  selectParticles(body: number, particles: ArrayLike<number>, mode: SelectMode = 'replace'): void {
    this.selectAllOf(new Map([[body, particles]]), mode);
  }

  // Particles by their bodies: as select() of each of them, but without a thing for each.
  selectAllOf(particles: ReadonlyMap<number, ArrayLike<number>>, mode: SelectMode = 'replace'): void {
    const from = mode === 'replace' ? NOTHING_SELECTED : this.own.peek();
    this.own.value = {...from, particles: withParticles(from.particles, particles, mode)};
  }

  clear(): void {
    if (!this.empty.peek()) {
      this.own.value = NOTHING_SELECTED;
    }
  }

  private dropConstraints(gone: (id: number) => boolean): void {
    const {constraints} = this.own.peek();
    const left = new Map([...constraints].filter(([id]) => !gone(id)));
    if (left.size !== constraints.size) {
      this.own.value = {...this.own.peek(), constraints: left};
    }
  }

  private prune(): void {
    const bodies = this.document.bodies.value;
    const colliders = this.document.colliders.value;
    const forces = this.document.forces.value;
    const selected = this.own.peek();
    const bodiesLeft = [...selected.bodies].filter((id) => bodies.has(id));
    const collidersLeft = [...selected.colliders].filter((id) => colliders.has(id));
    const forcesLeft = [...selected.forces].filter((id) => forces.has(id));
    const particlesLeft = [...selected.particles].filter(([id]) => bodies.has(id));
    if (
      bodiesLeft.length !== selected.bodies.size ||
      collidersLeft.length !== selected.colliders.size ||
      forcesLeft.length !== selected.forces.size ||
      particlesLeft.length !== selected.particles.size
    ) {
      this.own.value = {
        ...selected,
        bodies: new Set(bodiesLeft),
        colliders: new Set(collidersLeft),
        forces: new Set(forcesLeft),
        particles: new Map(particlesLeft),
      };
    }
  }
}
