// Every verb as a function: it calls the server and answers with the result or with the refusal in the server's
// words. What it changes is seen when the notice of it comes, as for everybody else.
import {computed, effect, signal, untracked, type ReadonlySignal} from '@preact/signals';
import {METHODS, WeftError, type Client, type Method, type Params, type Results, type TwinHand} from '../../lib/index.js';
import type {WorldDocument} from './document.js';
import type {Gestures} from './gestures.js';
import {Hold, type HoldPlace} from './hold.js';
import {outcome, refused, type Outcome} from './outcome.js';
import type {Selected} from './selection.js';
import type {ConstraintKind, Vec3} from './values.js';

// Parameters without the world: that is the one that is open.
type Of<M extends Method> = Omit<Params[M], 'world'>;
type Done<M extends Method> = Promise<Outcome<Results[M]>>;
type InWorld = {[M in Method]: Params[M] extends {world: unknown} ? M : never}[Method];

export interface Point {
  readonly body: number;
  readonly particle: number;
}

// Names the thing that an edit changes, as far as its parameters tell. An edit of particles changes their body.
function thingOf(method: string, params: object): string {
  const {body, collider, constraints, force} = params as Record<string, unknown>;
  if (body !== undefined) return `body ${String(body)}`;
  if (collider !== undefined) return `collider ${String(collider)}`;
  if (typeof force === 'number') return `force ${force}`;
  return constraints instanceof Uint32Array ? `constraint ${constraints[0] ?? 0}` : method;
}

export class Commands {
  // Chosen while the world was paused, for when it plays; null: none.
  private readonly chosen = signal<number | null>(null);
  // At which the world plays, or will.
  readonly rate: ReadonlySignal<number>;
  private readonly off: () => void;

  constructor(
    private readonly client: Client,
    private readonly document: WorldDocument,
    // Shows what a hand does before the server has answered; null where that cannot be.
    private readonly ahead: (point: Point, target: Vec3, compliance?: number) => TwinHand | null = () => null,
    // Names the gesture to which an edit belongs. Null: each edit is a step of undo by itself.
    private readonly gestures: Gestures | null = null,
  ) {
    this.rate = computed(() => this.chosen.value ?? document.run.value.rate);
    let world = 0;
    this.off = effect(() => {
      if (document.playing.value || document.world.value !== world) this.chosen.value = null;
      world = document.world.value;
    });
  }

  close(): void {
    this.off();
  }

  // Any method, in the world that is open. In the past nothing is done, and nothing of it is asked of the server.
  call<M extends InWorld>(method: M, params: Of<M>): Done<M> {
    const {phase, world, name, viewOf, readOnly} = this.document;
    if (viewOf.peek() !== 0 && METHODS[method].class !== 'query') {
      const text = readOnly.peek();
      return Promise.resolve(refused(new WeftError({kind: 1, code: 'READ_ONLY', text}, method)));
    }
    if (phase.peek() !== 'joined') {
      const text = name.peek() === '' ? 'no world is open' : `world "${name.peek()}" does not exist`;
      return Promise.resolve(refused(new WeftError({kind: 0, code: 'LOST', text}, method)));
    }
    const given = {...this.gestureOf(method, params), ...params, world: world.peek()};
    return outcome(this.client.call(method, given as unknown as Params[M]));
  }

  // A gesture is about one thing. Taking something back is a step of its own.
  private gestureOf(method: InWorld, params: object): {gesture?: string} {
    const name = this.gestures?.name ?? '';
    const isPart = METHODS[method].class === 'edit' && method !== 'edit.undo' && method !== 'edit.redo';
    return isPart && name !== '' ? {gesture: `${name} ${thingOf(method, params)}`} : {};
  }

  // -- time

  // rate 1 is real time, 0 as fast as it can; without one, the rate that was chosen, or that there was.
  play(rate: number = this.rate.peek()): Done<'world.play'> {
    return this.call('world.play', {rate});
  }

  pause(): Done<'world.pause'> {
    return this.call('world.pause', {});
  }

  // A world that plays is paused first.
  async step(ticks = 1): Done<'world.step'> {
    if (this.document.playing.peek()) {
      const paused = await this.pause();
      if (!paused.ok) {
        return paused;
      }
    }
    return this.call('world.step', {ticks});
  }

  toggle(): Done<'world.play'> | Done<'world.pause'> {
    return this.document.playing.peek() ? this.pause() : this.play();
  }

  // A world that is paused stays so, and takes it with play().
  setRate(rate: number): Promise<Outcome<unknown>> {
    if (this.document.playing.peek()) {
      return this.play(rate);
    }
    this.chosen.value = rate;
    return Promise.resolve({ok: true, result: null});
  }

  reset(): Done<'world.reset'> {
    return this.call('world.reset', {});
  }

  // Many edits as one: all of them, or none.
  batch(edits: Of<'edit.batch'>['edits']): Done<'edit.batch'> {
    return this.call('edit.batch', {edits});
  }

  // -- the world

  setWorld(fields: Of<'world.set'>): Done<'world.set'> {
    return this.call('world.set', fields);
  }

  setWind(wind: NonNullable<Of<'world.set'>['wind']>): Done<'world.set'> {
    return this.call('world.set', {wind});
  }

  // -- bodies and particles

  addBody(fields: Of<'body.add'>): Done<'body.add'> {
    return this.call('body.add', fields);
  }

  // Materials, name, thickness.
  setBody(body: number, fields: Omit<Of<'body.set'>, 'body'>): Done<'body.set'> {
    return this.call('body.set', {...fields, body});
  }

  setMaterial(
    body: number,
    part: 'stretch' | 'bend' | 'volume' | 'solid',
    material: {compliance?: number; damping?: number; stiffness?: number; limit?: number; rigidity?: number},
  ): Done<'body.set'> {
    return this.call('body.set', {body, [part]: material});
  }

  // On the body as a whole, in N, until it is changed.
  force(body: number, force: ArrayLike<number>): Done<'body.force'> {
    return this.call('body.force', {body, force: Array.from(force)});
  }

  removeBody(body: number): Done<'body.remove'> {
    return this.call('body.remove', {body});
  }

  // Where they are, or at new places: x, y, z of each.
  pin(body: number, particles: ArrayLike<number>, positions?: ArrayLike<number>): Done<'particle.pin'> {
    const at = positions ? {positions} : {};
    return this.call('particle.pin', {body, particles: Uint32Array.from(particles), ...at});
  }

  // So that they follow a collider from where they are.
  pinTo(body: number, particles: ArrayLike<number>, collider: number): Done<'particle.pin'> {
    return this.call('particle.pin', {body, particles: Uint32Array.from(particles), collider});
  }

  // Softly: with a spring of that compliance, within a distance, or both.
  pinSoftly(
    body: number,
    particles: ArrayLike<number>,
    softness: {compliance?: number; distance?: number},
  ): Done<'particle.pin'> {
    return this.call('particle.pin', {body, particles: Uint32Array.from(particles), ...softness});
  }

  unpin(body: number, particles: ArrayLike<number>): Done<'particle.unpin'> {
    return this.call('particle.unpin', {body, particles: Uint32Array.from(particles)});
  }

  setParticles(
    body: number,
    particles: ArrayLike<number>,
    fields: Omit<Of<'particle.set'>, 'body' | 'particles'>,
  ): Done<'particle.set'> {
    return this.call('particle.set', {...fields, body, particles: Uint32Array.from(particles)});
  }

  // -- constraints

  // Two points for a distance or a join, three for a slide or a ring on a rail, four for each other. A slide has the ring in the middle, a rail has it first;
  // bending has the shared edge first, then the two wings.
  addConstraint(
    type: ConstraintKind,
    points: readonly Point[],
    values: Omit<Of<'constraint.add'>, 'type' | 'body' | 'bodies' | 'particles'> = {},
  ): Done<'constraint.add'> {
    const bodies = Uint32Array.from(points, (point) => point.body);
    const particles = Uint32Array.from(points, (point) => point.particle);
    return this.call('constraint.add', {...values, type, bodies, particles});
  }

  setConstraints(
    constraints: ArrayLike<number>,
    fields: Omit<Of<'constraint.set'>, 'constraints'>,
  ): Done<'constraint.set'> {
    return this.call('constraint.set', {...fields, constraints: Uint32Array.from(constraints)});
  }

  removeConstraints(constraints: ArrayLike<number>): Done<'constraint.remove'> {
    return this.call('constraint.remove', {constraints: Uint32Array.from(constraints)});
  }

  // -- colliders

  addCollider(fields: Of<'collider.add'>): Done<'collider.add'> {
    return this.call('collider.add', fields);
  }

  setCollider(collider: number, fields: Omit<Of<'collider.set'>, 'collider'>): Done<'collider.set'> {
    return this.call('collider.set', {...fields, collider});
  }

  removeCollider(collider: number): Done<'collider.remove'> {
    return this.call('collider.remove', {collider});
  }

  // -- fields of force

  addForce(field: Of<'force.add'>['field']): Done<'force.add'> {
    return this.call('force.add', {field});
  }

  setForce(force: number, field: Of<'force.set'>['field']): Done<'force.set'> {
    return this.call('force.set', {force, field});
  }

  // -- of what is selected

  pinSelected(selected: Selected): Promise<Outcome<{readonly bodies: number}>> {
    return this.eachBody(selected, (body, particles) => this.pin(body, particles));
  }

  pinSelectedTo(selected: Selected, collider: number): Promise<Outcome<{readonly bodies: number}>> {
    return this.eachBody(selected, (body, particles) => this.pinTo(body, particles, collider));
  }

  pinSelectedSoftly(
    selected: Selected,
    softness: {compliance?: number; distance?: number},
  ): Promise<Outcome<{readonly bodies: number}>> {
    return this.eachBody(selected, (body, particles) => this.pinSoftly(body, particles, softness));
  }

  unpinSelected(selected: Selected): Promise<Outcome<{readonly bodies: number}>> {
    return this.eachBody(selected, (body, particles) => this.unpin(body, particles));
  }

  private async eachBody(
    selected: Selected,
    act: (body: number, particles: Uint32Array) => Promise<Outcome<unknown>>,
  ): Promise<Outcome<{readonly bodies: number}>> {
    for (const [body, particles] of selected.particles) {
      const done = await act(body, particles);
      if (!done.ok) {
        return done;
      }
    }
    return {ok: true, result: {bodies: selected.particles.size}};
  }

  // -- holding

  // Takes hold of a particle. Move the hold as often as you like; end it when it is let go: that is done in the world that
  // it was begun in, whatever is shown by then.
  grab(point: Point, target: Vec3, compliance?: number): Hold {
    const {document} = this;
    const world = document.world.peek();
    const place: HoldPlace = {
      world,
      call: (method, params) =>
        method === 'grab.end'
          ? outcome(this.client.call(method, {...params, world} as Params['grab.end']))
          : this.call(method, params as never),
      targetOf: (grab) => document.grabs.peek().get(grab)?.target ?? null,
      ahead: (at) => this.ahead(point, at, compliance),
      onJoined: (callback) =>
        effect(() => {
          void document.epoch.value;
          untracked(() => document.world.peek() === world && callback());
        }),
    };
    return new Hold(this.client, place, point, target, compliance);
  }
}
