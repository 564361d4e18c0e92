// A collider in hand: it follows at once and is sent as fast as the server answers; if it is refused, it goes back to
// where the document has it.
import type {Object3D, Vector3} from 'three';
import type {App} from '../model/app.js';
import {Latest} from '../model/latest.js';
import type {Collider} from '../model/values.js';
import type {HandleMode} from '../model/viewstate.js';
import type {Content} from './content.js';
import type {Held} from './held.js';

// What a handle changes.
type Shape = Partial<Pick<Collider, 'position' | 'rotation' | 'radius' | 'length' | 'half_extents' | 'points' | 'heights' | 'spacing'>>;

const SMALLEST = 0.005;

export class ColliderHeld implements Held {
  readonly mode: HandleMode;
  readonly space: 'world' | 'local';
  readonly things: Held['things'];
  private readonly sender: Latest<Shape>;

  constructor(
    app: App,
    private readonly content: Content,
    private readonly collider: Collider,
    wanted: HandleMode,
    refused: () => void,
  ) {
    this.mode = modeFor(collider, wanted);
    this.things = {bodies: new Set(), colliders: new Set([collider.collider]), forces: new Set()};
    this.space = collider.kind === 'plane' || wanted === 'move' ? 'world' : 'local';
    this.sender = new Latest(async (shape: Shape) => {
      const done = await app.commands.setCollider(collider.collider, shape);
      if (!done.ok) {
        app.notices.error(done.error);
        refused();
      }
    });
  }

  place(proxy: Object3D): void {
    proxy.position.set(...(this.collider.position as [number, number, number]));
    proxy.quaternion.set(...(this.collider.rotation as [number, number, number, number]));
    proxy.scale.set(1, 1, 1);
    proxy.updateMatrixWorld();
  }

  begin(): void {}

  moved(proxy: Object3D): void {
    const shape = this.shape(proxy);
    this.sender.push(shape);
    // Ahead of the server.
    this.content.colliders.get(this.collider.collider)?.update({...this.collider, ...shape});
  }

  end(): void {}

  private shape({position: p, quaternion: q, scale}: Object3D): Shape {
    switch (this.mode) {
      case 'turn':
        return {rotation: [q.x, q.y, q.z, q.w]};
      case 'size':
        return sizeOf(this.collider, scale);
      default:
        return {position: [p.x, p.y, p.z]};
    }
  }
}

// A ball looks the same however it is turned, and a plane has no size.
function modeFor({kind}: Collider, wanted: HandleMode): HandleMode {
  return (kind === 'sphere' && wanted === 'turn') || (kind === 'plane' && wanted === 'size') ? 'move' : wanted;
}

// What a collider becomes by the factors of the three axes. What is round goes by the one that was pulled.
function sizeOf(
  {kind, radius, length, half_extents: half, points, heights, spacing}: Collider,
  {x, y, z}: Vector3,
): Shape {
  const least = (size: number) => Math.max(SMALLEST, Math.abs(size));
  const pulled = (factors: readonly number[]) =>
    factors.reduce((most, factor) => (Math.abs(factor - 1) > Math.abs(most - 1) ? factor : most), 1);
  switch (kind) {
    case 'sphere':
      return {radius: least(radius * pulled([x, y, z]))};
    case 'capsule':
    case 'cylinder':
      return {radius: least(radius * pulled([x, z])), length: least(length * y)};
    case 'height_field':
      return {heights: heights.map((height) => height * y), spacing: least(spacing * pulled([x, z]))};
    case 'convex':
      return {points: points.map((at, i) => at * least([x, y, z][i % 3] ?? 1))};
    default:
      return {half_extents: [least(half[0] * x), least(half[1] * y), least(half[2] * z)]};
  }
}
