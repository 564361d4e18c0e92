// Bodies in hand, and colliders with them. Moved or turned, particles are placed as the hand has them, as fast as the server
// answers; large bodies when they are let go, and until then only their picture moves. Another size is shown, and made when
// it is let go; colliders among them keep their size, so that there is none of both together.
import {Box3, Matrix4, Quaternion, Vector3, type Object3D} from 'three';
import type {App} from '../model/app.js';
import {placed, type Shape} from '../model/bodies.js';
import {Latest} from '../model/latest.js';
import type {Outcome} from '../model/outcome.js';
import type {HandleMode} from '../model/viewstate.js';
import type {Collider} from '../model/values.js';
import type {Content} from './content.js';
import type {Held} from './held.js';

// More are not sent while they are moved.
const LIVE_PARTICLES = 40_000;
const SMALLEST = 0.01;
// Things that move together are one edit, and so one step of undo, up to so many things and particles.
const BATCH_MOST = 1000;
const BATCH_PARTICLES = 200_000;

export class BodiesHeld implements Held {
  readonly space = 'world';
  readonly mode: HandleMode;
  readonly things: Held['things'];
  private readonly box = new Box3();
  private readonly pivot = new Vector3();
  private readonly scale = new Vector3();
  private readonly matrix = new Matrix4();
  private readonly shift = new Matrix4();
  private readonly level = new Quaternion();
  private readonly live: boolean;
  private readonly sender: Latest<Matrix4>;
  private shapes: Promise<ReadonlyMap<number, Shape> | null> | null = null;

  constructor(
    private readonly app: App,
    private readonly content: Content,
    private readonly ids: readonly number[],
    private readonly colliders: readonly Collider[],
    wanted: HandleMode,
    private readonly refused: () => void,
  ) {
    this.things = {
      bodies: new Set(ids),
      colliders: new Set(colliders.map(({collider}) => collider)),
      forces: new Set(),
    };
    this.mode = colliders.length > 0 && wanted === 'size' ? 'move' : wanted;
    const particles = ids.reduce(
      (sum, id) => sum + (app.document.bodies.peek().get(id)?.particles ?? 0),
      0,
    );
    this.live = this.mode !== 'size' && particles <= LIVE_PARTICLES;
    this.sender = new Latest((matrix) => this.send(matrix));
  }

  place(proxy: Object3D): void {
    this.content.bounds(this.box, this.things);
    this.box.getCenter(proxy.position);
    proxy.quaternion.copy(this.level);
    proxy.scale.set(1, 1, 1);
    proxy.updateMatrixWorld();
  }

  begin(proxy: Object3D): void {
    this.pivot.copy(proxy.position);
    this.shapes = this.mode === 'size' ? null : this.read();
  }

  moved(proxy: Object3D): void {
    const matrix = this.matrixOf(proxy);
    if (this.live) {
      this.sender.push(matrix);
    } else {
      this.show(matrix);
    }
  }

  end(proxy: Object3D): void {
    const matrix = this.matrixOf(proxy);
    if (matrix.equals(this.shift.identity())) {
      this.show(matrix);
    } else if (this.mode === 'size') {
      void this.remake(matrix);
    } else {
      this.sender.push(matrix);
    }
  }

  // From where it was taken to where the hand has it.
  private matrixOf({position, quaternion, scale}: Object3D): Matrix4 {
    const least = (factor: number) => Math.max(SMALLEST, Math.abs(factor));
    this.scale.set(least(scale.x), least(scale.y), least(scale.z));
    const {x, y, z} = this.pivot;
    return this.matrix
      .compose(position, quaternion, this.scale)
      .multiply(this.shift.makeTranslation(-x, -y, -z))
      .clone();
  }

  // Ahead of the server, in the picture alone.
  private show(matrix: Matrix4 | null): void {
    for (const id of this.ids) {
      this.content.bodies.get(id)?.carry(matrix);
    }
  }

  private async read(): Promise<ReadonlyMap<number, Shape> | null> {
    const shapes = new Map<number, Shape>();
    for (const id of this.ids) {
      const shape = await this.app.bodies.shapeOf(id);
      if (!shape.ok) {
        this.app.notices.error(shape.error);
        return null;
      }
      shapes.set(id, shape.result);
    }
    return shapes;
  }

  private async send(matrix: Matrix4): Promise<void> {
    const shapes = await this.shapes;
    const places = [...(shapes ?? [])].map(([id, {positions}]) => placed(id, positions, matrix.elements));
    const poses = shapes ? this.colliders.map((one) => ({collider: one.collider, ...poseOf(one, matrix)})) : [];
    const particles = places.reduce((sum, {positions}) => sum + positions.length / 3, 0);
    if (places.length + poses.length > 1 && places.length + poses.length <= BATCH_MOST && particles <= BATCH_PARTICLES) {
      this.said(
        await this.app.commands.batch([
          ...places.map((place) => ['particle.set', place] as const),
          ...poses.map((pose) => ['collider.set', pose] as const),
        ]),
      );
    } else {
      await this.sendEach(places, poses);
    }
    if (!this.live) {
      this.show(null);
    }
  }

  private async sendEach(
    places: readonly ReturnType<typeof placed>[],
    poses: readonly ({readonly collider: number} & ReturnType<typeof poseOf>)[],
  ): Promise<void> {
    const {commands} = this.app;
    for (const {body, particles, ...fields} of places) {
      if (!this.said(await commands.setParticles(body, particles, fields))) {
        return;
      }
    }
    for (const {collider, ...pose} of poses) {
      if (!this.said(await commands.setCollider(collider, pose))) {
        return;
      }
    }
  }

  private async remake(matrix: Matrix4): Promise<void> {
    if (!(await this.app.remake(this.ids, matrix.elements))) {
      this.refused();
    }
    this.show(null);
  }

  private said<T>(done: Outcome<T>): done is Extract<Outcome<T>, {ok: true}> {
    if (!done.ok) {
      this.app.notices.error(done.error);
      this.refused();
    }
    return done.ok;
  }
}

// The place of a collider after a move or a turn. A ball keeps its rotation, which nothing shows.
function poseOf({kind, position, rotation}: Collider, matrix: Matrix4): Partial<Pick<Collider, 'position' | 'rotation'>> {
  const at = new Vector3(...position).applyMatrix4(matrix);
  const turn = new Quaternion().setFromRotationMatrix(matrix).multiply(new Quaternion(...rotation));
  const turned = kind === 'sphere' ? {} : {rotation: turn.toArray() as [number, number, number, number]};
  return {position: at.toArray(), ...turned};
}
