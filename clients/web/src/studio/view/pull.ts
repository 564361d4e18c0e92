// Dragging a particle: the pointer moves in the plane that faces the camera through the particle; the wheel moves that
// plane. The target is told once a frame.
import {Plane, Ray, Vector3} from 'three';
import type {App} from '../model/app.js';
import type {Hold} from '../model/hold.js';
import type {Vec3} from '../model/values.js';
import type {CameraRig} from './camera.js';
import type {Content, Hit} from './content.js';
import type {Overlays} from './overlays.js';

export class Pull {
  private readonly plane = new Plane();
  private readonly from = new Vector3();
  private readonly off = new Vector3();
  private readonly target = new Vector3();
  private readonly hold: Hold;
  private moved = false;
  // Of the hold: of which of its grabs frames told.
  private seen = 0;

  // x, y: where on the page the particle was taken; the hand need not be quite on it.
  constructor(
    private readonly app: App,
    private readonly content: Content,
    private readonly rig: CameraRig,
    private readonly overlays: Overlays,
    hit: Hit,
    x: number,
    y: number,
    private readonly failed: () => void,
  ) {
    const positions = content.positionsOf(hit.body!)!;
    const i = 3 * hit.particle;
    this.from.set(positions[i], positions[i + 1], positions[i + 2]);
    this.plane.setFromNormalAndCoplanarPoint(rig.camera.getWorldDirection(new Vector3()), this.from);
    this.off.copy(this.from).sub(this.meet(x, y) ?? this.from);
    this.target.copy(this.from);
    const point = {body: hit.body!, particle: hit.particle};
    this.hold = app.commands.grab(point, this.at, app.viewState.grabCompliance.peek());
    app.viewState.dragging.value = true;
    void this.hold.refused.then((error) => {
      app.notices.error(error, content.local(x, y));
      this.failed();
    });
  }

  // A hand on the pointer, at a point of the page.
  move(x: number, y: number): void {
    const at = this.meet(x, y);
    if (at) {
      this.target.copy(at).add(this.off);
      this.moved = true;
    }
  }

  // Away from the camera (or nearer) by a share of the distance.
  push(share: number, x: number, y: number): void {
    const toward = this.target.clone().sub(this.rig.camera.position).divideScalar(this.rig.farther);
    this.plane.setFromNormalAndCoplanarPoint(
      this.plane.normal,
      this.target.clone().addScaledVector(toward, share),
    );
    this.move(x, y);
  }

  // Once a frame.
  send(): void {
    if (this.isOver) {
      this.failed();
      return;
    }
    if (!this.moved) {
      return;
    }
    this.moved = false;
    this.hold.move(this.at);
    this.overlays.hold({grab: this.hold.id, target: this.at});
    if (!this.app.viewState.dragged.peek()) {
      this.app.viewState.dragged.value = true;
    }
  }

  end(): void {
    this.app.viewState.dragging.value = false;
    this.overlays.hold(null);
    void this.hold.end();
  }

  // A reset, or the end of its body, ends a grab: it was there, and is not any more.
  private get isOver(): boolean {
    const {id, count} = this.hold;
    if (id === 0) {
      return false;
    }
    const there = this.app.document.grabs.peek().has(id);
    const over = this.seen === count && !there;
    this.seen = there ? count : this.seen;
    return over;
  }

  private get at(): Vec3 {
    return [this.target.x, this.target.y, this.target.z];
  }

  private meet(x: number, y: number): Vector3 | null {
    const {origin, direction} = this.content.rayAt(x, y);
    return new Ray(new Vector3(...origin), new Vector3(...direction)).intersectPlane(
      this.plane,
      new Vector3(),
    );
  }
}
