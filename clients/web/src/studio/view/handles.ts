// Handles on the one collider that is selected: arrows to move it, rings to turn it. It follows the hand at once and is
// sent as fast as the server answers; if it is refused, it goes back to where the document has it.
import {effect} from '@preact/signals';
import {Object3D, type Camera, type Scene} from 'three';
import {TransformControls} from 'three/examples/jsm/controls/TransformControls.js';
import type {App} from '../model/app.js';
import type {Pose} from '../model/commands.js';
import {Latest} from '../model/latest.js';
import type {Collider} from '../model/values.js';
import type {Content} from './content.js';

interface Move {
  readonly collider: number;
  readonly pose: Pose;
}

export class Handles {
  private readonly controls: TransformControls;
  private readonly proxy = new Object3D();
  private readonly helper: Object3D;
  private readonly offs: (() => void)[] = [];
  private readonly sender: Latest<Move>;
  private collider: Collider | null = null;
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
    this.sender = new Latest(async ({collider, pose}: Move) => {
      const done = await app.commands.moveCollider(collider, pose);
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
    // A ball looks the same however it is turned.
    this.controls.setMode(mode === 'turn' && this.collider.kind !== 'sphere' ? 'rotate' : 'translate');
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
      this.proxy.updateMatrixWorld();
    }
  }

  private onMove(): void {
    if (!this.collider || !this.held) {
      return;
    }
    const {position: p, quaternion: q} = this.proxy;
    const pose: Pose =
      this.controls.getMode() === 'rotate' ? {rotation: [q.x, q.y, q.z, q.w]} : {position: [p.x, p.y, p.z]};
    this.sender.push({collider: this.collider.collider, pose});
    // Ahead of the server.
    this.content.colliders.get(this.collider.collider)?.update({...this.collider, ...pose});
    this.changed();
  }
}
