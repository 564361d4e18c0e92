// Handles on the one collider that is selected: arrows to move it, rings to turn it, cubes to resize it. It follows the
// hand at once and is sent as fast as the server answers; if it is refused, it goes back to where the document has it.
import {effect} from '@preact/signals';
import {Object3D, type Camera, type Scene, type Vector3} from 'three';
import {TransformControls} from 'three/examples/jsm/controls/TransformControls.js';
import type {App} from '../model/app.js';
import {Latest} from '../model/latest.js';
import type {Collider} from '../model/values.js';
import type {HandleMode} from '../model/viewstate.js';
import type {Content} from './content.js';

// What a handle changes.
type Shape = Partial<Pick<Collider, 'position' | 'rotation' | 'radius' | 'length' | 'half_extents'>>;

interface Move {
  readonly collider: number;
  readonly shape: Shape;
}

const CONTROLS = {move: 'translate', turn: 'rotate', size: 'scale'} as const;
const SMALLEST = 0.005;

export class Handles {
  private readonly controls: TransformControls;
  private readonly proxy = new Object3D();
  private readonly helper: Object3D;
  private readonly offs: (() => void)[] = [];
  private readonly sender: Latest<Move>;
  private collider: Collider | null = null;
  // As it was when a handle was taken.
  private start: Collider | null = null;
  private held = false;

  constructor(
    private readonly app: App,
    private readonly content: Content,
    scene: Scene,
    camera: Camera,
    element: HTMLElement,
    private readonly changed: () => void,
  ) {
    this.controls = new TransformControls(camera, element);
    this.controls.setSize(0.8);
    this.controls.setColors('#e5484d', '#46a758', '#3e7bfa', '#f5a524');
    this.helper = this.controls.getHelper();
    scene.add(this.proxy, this.helper);
    this.sender = new Latest(async ({collider, shape}: Move) => {
      const done = await app.commands.setCollider(collider, shape);
      if (!done.ok) {
        app.notices.error(done.error);
        this.reset();
      }
    });
    this.controls.addEventListener('objectChange', () => this.onMove());
    this.controls.addEventListener('change', () => changed());
    this.controls.addEventListener('dragging-changed', (event) => {
      this.held = event.value as boolean;
      app.viewState.dragging.value = this.held;
      this.start = this.collider;
      if (!this.held) {
        this.follow();
      }
    });
    this.offs.push(effect(() => this.follow()));
  }

  // Whether the pointer is on a handle, or holds one.
  get busy(): boolean {
    return this.held || (this.collider !== null && this.controls.axis !== null);
  }

  dispose(): void {
    this.offs.forEach((off) => off());
    this.controls.detach();
    this.controls.dispose();
    this.helper.removeFromParent();
    this.proxy.removeFromParent();
  }

  private follow(): void {
    const {colliders} = this.app.selection.selected.value;
    const known = this.app.document.colliders.value;
    const mode = this.app.viewState.handle.value;
    const [id] = colliders;
    this.collider = colliders.size === 1 ? (known.get(id) ?? null) : null;
    if (!this.collider) {
      this.controls.detach();
      this.changed();
      return;
    }
    this.controls.setMode(CONTROLS[modeFor(this.collider, mode)]);
    this.controls.setSpace(this.collider.kind === 'plane' || mode === 'move' ? 'world' : 'local');
    if (!this.held) {
      this.reset();
    }
    this.controls.attach(this.proxy);
    this.changed();
  }

  private reset(): void {
    if (this.collider) {
      this.proxy.position.set(...(this.collider.position as [number, number, number]));
      this.proxy.quaternion.set(...(this.collider.rotation as [number, number, number, number]));
      this.proxy.scale.set(1, 1, 1);
      this.proxy.updateMatrixWorld();
    }
  }

  private onMove(): void {
    if (!this.collider || !this.held) {
      return;
    }
    const shape = this.shape();
    this.sender.push({collider: this.collider.collider, shape});
    // Ahead of the server.
    this.content.colliders.get(this.collider.collider)?.update({...this.collider, ...shape});
    this.changed();
  }

  private shape(): Shape {
    const {position: p, quaternion: q, scale} = this.proxy;
    switch (this.controls.getMode()) {
      case 'rotate':
        return {rotation: [q.x, q.y, q.z, q.w]};
      case 'scale':
        return sizeOf(this.start ?? this.collider!, scale);
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
function sizeOf({kind, radius, length, half_extents: half}: Collider, {x, y, z}: Vector3): Shape {
  const least = (size: number) => Math.max(SMALLEST, Math.abs(size));
  const pulled = (factors: readonly number[]) =>
    factors.reduce((most, factor) => (Math.abs(factor - 1) > Math.abs(most - 1) ? factor : most), 1);
  switch (kind) {
    case 'sphere':
      return {radius: least(radius * pulled([x, y, z]))};
    case 'capsule':
      return {radius: least(radius * pulled([x, z])), length: least(length * y)};
    default:
      return {half_extents: [least(half[0] * x), least(half[1] * y), least(half[2] * z)]};
  }
}
