// Removing what is selected so that it can be put back: what a thing was is read in the same moment, and given to the
// server again when somebody wants it back.
//
// What is put back is a new thing with a new id: bodies come with their material, masses, pins, places and velocities,
// with the constraints and motions that went with them. Motions begin anew; a body's own constraints are those of its
// material.
import type {Call, Client, WeftError} from '../../lib/index.js';
import type {Bodies, Whole} from './bodies.js';
import type {Commands} from './commands.js';
import type {WorldDocument} from './document.js';
import {outcome, type Outcome} from './outcome.js';
import {NOTHING_SELECTED, type Selected} from './selection.js';
import {constraintAt} from './table.js';
import {CONSTRAINT_KINDS, shapeOf, type Body, type Collider, type Constraint} from './values.js';

// Selected, of which there are ids now.
export type PutBack = Selected;

export interface Removed {
  readonly bodies: readonly Body[];
  readonly colliders: readonly Collider[];
  // Those that were selected; the ones that went with a body are not among them.
  readonly constraints: readonly number[];
  // Why something of it was not removed; null: all of it was.
  readonly refusal: WeftError | null;
  // What came back. Ends at the first refusal; what was put back before it stays.
  putBack(): Promise<Outcome<PutBack>>;
}

interface Motion {
  readonly collider?: number;
  readonly body?: number;
  readonly particles: ArrayLike<number>;
  readonly times: ArrayLike<number>;
  readonly offsets: ArrayLike<number>;
  readonly loop: boolean;
  readonly interpolation: 'linear' | 'cubic';
  readonly poses?: ArrayLike<number>;
}

export class Removals {
  // What became of ids whose things were put back: constraints name bodies by the ids that they had.
  private readonly bodyNow = new Map<number, number>();
  private readonly colliderNow = new Map<number, number>();

  constructor(
    private readonly client: Client,
    private readonly document: WorldDocument,
    private readonly commands: Commands,
    private readonly things: Bodies,
  ) {}

  // Bodies, colliders and constraints; particles cannot be removed. Everything is asked before the first thing is
  // removed, and nothing waits between: answers keep the order of the requests.
  async remove(selected: Selected): Promise<Removed> {
    const {bodies, colliders, constraints} = selected;
    const keptBodies = [...bodies].map((id) => this.things.read(id));
    const keptColliders = [...colliders].flatMap((id) => this.document.colliders.peek().get(id) ?? []);
    const loose = this.looseOf(bodies).filter(({constraint}) => !constraints.has(constraint));
    const chosen = CONSTRAINT_KINDS.map((kind) => {
      const ids = [...constraints].filter(([, of]) => of === kind).map(([id]) => id);
      return ids.length > 0 ? this.document.constraints.readAll(kind, ids) : Promise.resolve([]);
    });
    const motions = this.readMotions(bodies, colliders);
    const done = await this.removeAll(
      [...bodies],
      keptColliders.map(({collider}) => collider),
      [...constraints.keys()],
    );
    const refusal = done.flatMap((one) => (one && !one.ok ? [one.error] : []))[0] ?? null;
    const [ofConstraints, ...ofThings] = done.map((one) => one?.ok === true);
    const kept = (await Promise.all(keptBodies)).flatMap((one, i) => (one.ok && ofThings[i] ? [one.result] : []));
    const gone = keptColliders.filter((_, i) => ofThings[bodies.size + i]);
    const all = [...loose, ...(ofConstraints ? (await Promise.all(chosen)).flat() : [])];
    const moved = await motions;
    return {
      bodies: kept.map(({body}) => body),
      colliders: gone,
      constraints: ofConstraints ? [...constraints.keys()] : [],
      refusal,
      putBack: () => this.putBack(kept, gone, all, moved),
    };
  }

  // What became of the constraints (null: there are none), of each body, of each collider. Several go as one edit; so many that
  // they are too much for one go by themselves.
  private async removeAll(
    bodies: readonly number[],
    colliders: readonly number[],
    constraints: readonly number[],
  ): Promise<(Outcome<unknown> | null)[]> {
    const edits: Call[] = [
      ...(constraints.length > 0
        ? [['constraint.remove', {constraints: Uint32Array.from(constraints)}] as const]
        : []),
      ...bodies.map((body) => ['body.remove', {body}] as const),
      ...colliders.map((collider) => ['collider.remove', {collider}] as const),
    ];
    if (edits.length > 1) {
      const whole = await this.commands.batch(edits);
      if (whole.ok || whole.error.code !== 'LIMIT') {
        const each = [...bodies, ...colliders].map(() => whole);
        return [constraints.length > 0 ? whole : null, ...each];
      }
    }
    return Promise.all([
      constraints.length > 0 ? this.commands.removeConstraints(constraints) : null,
      ...bodies.map((id) => this.commands.removeBody(id)),
      ...colliders.map((id) => this.commands.removeCollider(id)),
    ]);
  }

  private looseOf(bodies: ReadonlySet<number>): Constraint[] {
    if (bodies.size === 0) return [];
    return CONSTRAINT_KINDS.flatMap((kind) => {
      const table = this.document.constraints.loose(kind).peek();
      if (!table) return [];
      return Array.from(table.ids, (_, row) => row)
        .filter((row) =>
          table.bodies.subarray(row * table.stride, (row + 1) * table.stride).some((id) => bodies.has(id)),
        )
        .map((row) => constraintAt(table, row));
    });
  }

  private async readMotions(bodies: ReadonlySet<number>, colliders: ReadonlySet<number>): Promise<Motion[]> {
    if (bodies.size + colliders.size === 0) return [];
    const world = this.document.world.peek();
    const asked = await outcome(this.client.call('motion.list', {world, poses: true}));
    if (!asked.ok) return [];
    return (asked.result.motions as readonly Motion[]).filter(
      ({body, collider}) =>
        (body !== undefined && bodies.has(body)) || (collider !== undefined && colliders.has(collider)),
    );
  }

  // -- back again

  private async putBack(
    bodies: readonly Whole[],
    colliders: readonly Collider[],
    constraints: readonly Constraint[],
    motions: readonly Motion[],
  ): Promise<Outcome<PutBack>> {
    const back = {
      bodies: new Set<number>(),
      colliders: new Set<number>(),
      constraints: new Map(NOTHING_SELECTED.constraints),
    };
    for (const kept of bodies) {
      const done = await this.things.add(kept, this.freeOf(kept.body.name, this.document.bodies.peek()));
      if (!done.ok) return done;
      back.bodies.add(done.result);
      this.bodyNow.set(kept.body.body, done.result);
    }
    for (const collider of colliders) {
      const done = await this.addCollider(collider);
      if (!done.ok) return done;
      back.colliders.add(done.result.collider);
      this.colliderNow.set(collider.collider, done.result.collider);
    }
    for (const constraint of constraints) {
      const done = await this.addConstraint(constraint);
      if (!done.ok) return done;
      if (back.bodies.size === 0)
        done.result.constraints.forEach((id) => back.constraints.set(id, constraint.type));
    }
    for (const motion of motions) {
      const {collider, body, particles, times, offsets, loop, interpolation, poses} = motion;
      const what =
        collider === undefined
          ? {body: now(this.bodyNow, body ?? 0), particles: Uint32Array.from(particles)}
          : {collider: now(this.colliderNow, collider)};
      const keys = {
        times: Float64Array.from(times),
        offsets: Float64Array.from(offsets),
        loop,
        interpolation,
        ...(poses ? {poses: Float32Array.from(poses)} : {}),
      };
      const done = await this.commands.call('motion.add', {...what, ...keys});
      if (!done.ok) return done;
    }
    return {ok: true, result: {...NOTHING_SELECTED, ...back}};
  }

  private addCollider(collider: Collider) {
    const name = this.freeOf(collider.name, this.document.colliders.peek());
    return this.commands.addCollider({...shapeOf(collider), name});
  }

  private addConstraint({type, bodies, particles, rest, compliance, damping, stiffness}: Constraint) {
    const points = particles.map((particle, i) => ({particle, body: now(this.bodyNow, bodies[i] ?? 0)}));
    const rests = type !== 'isometric' && type !== 'quadratic' ? {rest} : {};
    const material = stiffness >= 0 ? {stiffness} : {compliance, damping};
    return this.commands.addConstraint(type, points, {...rests, ...material});
  }

  // Somebody may have given the name to something else.
  private freeOf(name: string, things: ReadonlyMap<number, {readonly name: string}>): string {
    return [...things.values()].some((other) => other.name === name) ? '' : name;
  }
}

function now(ids: ReadonlyMap<number, number>, id: number): number {
  let latest = id;
  for (let next = ids.get(latest); next !== undefined; next = ids.get(latest)) latest = next;
  return latest;
}
