// Removing what is selected, so that it can be put back: it is one edit of the world's, and the world takes it back, with the
// ids that things had, and all that went with them.
import type {WeftError} from '../../lib/index.js';
import type {Commands} from './commands.js';
import type {WorldDocument} from './document.js';
import type {ForceField} from './forcefields.js';
import type {Outcome} from './outcome.js';
import {NOTHING_SELECTED, type Selected} from './selection.js';
import type {Body, Collider} from './values.js';

export interface Removed {
  readonly bodies: readonly Body[];
  readonly colliders: readonly Collider[];
  // Those that were selected; the ones that went with a body are not among them.
  readonly constraints: Selected['constraints'];
  readonly forces: readonly ForceField[];
  // Of the edit; 0: none was made.
  readonly revision: number;
  // Why nothing of it was removed; null: all of it was.
  readonly refusal: WeftError | null;
}

export class Removals {
  constructor(
    private readonly document: WorldDocument,
    private readonly commands: Commands,
  ) {}

  // Bodies, colliders and constraints; particles cannot be removed. All of it, or nothing.
  async remove(selected: Selected): Promise<Removed> {
    const bodies = [...selected.bodies].flatMap((id) => this.document.bodies.peek().get(id) ?? []);
    const colliders = [...selected.colliders].flatMap((id) => this.document.colliders.peek().get(id) ?? []);
    const forces = [...selected.forces].flatMap((id) => this.document.forces.peek().get(id) ?? []);
    const done = await this.ask([...selected.constraints.keys()], bodies, colliders, forces);
    if (!done.ok) {
      const nothing = {bodies: [], colliders: [], forces: [], constraints: NOTHING_SELECTED.constraints};
      return {...nothing, revision: 0, refusal: done.error};
    }
    return {bodies, colliders, forces, constraints: selected.constraints, revision: done.result.revision, refusal: null};
  }

  private ask(
    constraints: readonly number[],
    bodies: readonly Body[],
    colliders: readonly Collider[],
    forces: readonly ForceField[],
  ): Promise<Outcome<{readonly revision: number}>> {
    const [body] = bodies;
    const [collider] = colliders;
    const [force] = forces;
    const count = bodies.length + colliders.length + forces.length + (constraints.length > 0 ? 1 : 0);
    if (count === 1 && body) return this.commands.removeBody(body.body);
    if (count === 1 && collider) return this.commands.removeCollider(collider.collider);
    if (count === 1 && force) return this.commands.call('force.remove', {force: force.force});
    if (count === 1) return this.commands.removeConstraints(constraints);
    return this.commands.batch([
      ...(constraints.length > 0
        ? [['constraint.remove', {constraints: Uint32Array.from(constraints)}] as const]
        : []),
      ...bodies.map(({body: id}) => ['body.remove', {body: id}] as const),
      ...colliders.map(({collider: id}) => ['collider.remove', {collider: id}] as const),
      ...forces.map(({force: id}) => ['force.remove', {force: id}] as const),
    ]);
  }
}
