// The wind as an arrow over the scene; its tip is a handle. Seen from above it moves level, from the side in the plane
// of the page.
import {effect} from '@preact/signals';
import {
  Box3,
  ConeGeometry,
  Group,
  Mesh,
  MeshBasicMaterial,
  Plane,
  Ray,
  SphereGeometry,
  Vector3,
  type BufferGeometry,
} from 'three';
import type {App} from '../model/app.js';
import {Latest} from '../model/latest.js';
import type {Vec3} from '../model/values.js';
import type {CameraRig} from './camera.js';
import type {Content} from './content.js';
import {toPage, type Ray as PickRay} from './pick.js';
import type {SceneTheme} from './theme.js';
import {WideLines} from './widelines.js';

// Of the arrow for a metre a second of wind.
const METRES_PER_SPEED = 0.09;
// Where there is none, the handle stands apart from the foot.
const STUB = 0.12;
const LEVEL_PITCH = 0.35;
const REACH_PX = 18;

export class WindHandle {
  readonly object = new Group();
  private readonly line = new WideLines(3, false, 6);
  private readonly tip: Mesh<BufferGeometry, MeshBasicMaterial>;
  private readonly knob: Mesh<BufferGeometry, MeshBasicMaterial>;
  private readonly foot = new Vector3();
  private readonly end = new Vector3();
  private readonly plane = new Plane();
  private readonly box = new Box3();
  private readonly sender: Latest<Vec3>;
  private readonly offs: (() => void)[];
  private theme: SceneTheme;
  private placed = false;
  private velocity: Vec3 = [0, 0, 0];
  private held = false;

  constructor(
    private readonly app: App,
    private readonly content: Content,
    private readonly rig: CameraRig,
    theme: SceneTheme,
    private readonly changed: () => void,
  ) {
    this.theme = theme;
    const material = () => new MeshBasicMaterial({toneMapped: false, depthTest: false, transparent: true});
    this.tip = new Mesh(new ConeGeometry(0.32, 1, 20).translate(0, -0.5, 0), material());
    this.knob = new Mesh(new SphereGeometry(0.2, 16, 12), material());
    this.tip.renderOrder = this.knob.renderOrder = 7;
    this.object.add(this.line.mesh, this.tip, this.knob);
    this.sender = new Latest(async (velocity: Vec3) => {
      const done = await app.commands.setWind({velocity});
      if (!done.ok) {
        app.notices.error(done.error);
        this.velocity = app.document.settings.peek().wind.velocity;
        changed();
      }
    });
    this.offs = [
      effect(() => {
        const {wind} = app.document.settings.value;
        const shown =
          app.document.phase.value === 'joined' &&
          (app.viewState.overlays.wind.value || app.selection.selected.value.wind);
        if (shown && !this.object.visible) {
          this.placed = false;
        }
        this.object.visible = shown;
        if (!this.held) {
          this.velocity = wind.density > 0 ? wind.velocity : [0, 0, 0];
        }
        changed();
      }),
    ];
  }

  paint(theme: SceneTheme): void {
    this.theme = theme;
    this.tip.material.color.copy(theme.wind);
    this.knob.material.color.copy(theme.wind);
  }

  resize(width: number, height: number, ratio: number): void {
    this.line.resize(width, height, ratio);
  }

  // Over the middle of what there is; it stays there while it is shown.
  update(): void {
    if (!this.object.visible) {
      return;
    }
    if (!this.placed) {
      this.placed = true;
      this.content.bounds(this.box);
      if (this.box.isEmpty()) {
        this.foot.set(0, 1.5, 0);
      } else {
        this.box.getCenter(this.foot).setY(this.box.max.y + 0.25);
      }
    }
    const speed = Math.hypot(...this.velocity);
    const [x, y, z] = this.velocity;
    this.end.set(x, y, z).multiplyScalar(METRES_PER_SPEED);
    if (speed * METRES_PER_SPEED < STUB) {
      this.end.copy(speed > 0 ? this.end.normalize() : this.end.set(1, 0, 0)).multiplyScalar(STUB);
    }
    this.end.add(this.foot);
    const size = 0.035 * this.rig.distance;
    this.tip.position.copy(this.end);
    this.tip.scale.setScalar(size);
    this.tip.quaternion.setFromUnitVectors(UP, this.end.clone().sub(this.foot).normalize());
    this.knob.position.copy(this.foot);
    this.knob.scale.setScalar(0.6 * size);
    this.line.begin();
    this.line.add(this.foot.toArray(), this.end.toArray(), this.theme.wind);
    this.line.end();
  }

  // Whether the tip is under a point of the view.
  meets(x: number, y: number): boolean {
    if (!this.object.visible || this.app.document.readOnly.peek() !== '') {
      return false;
    }
    const at = {x: 0, y: 0, depth: 0};
    toPage(this.content.screen, this.end.x, this.end.y, this.end.z, at);
    return at.depth > 0 && Math.hypot(at.x - x, at.y - y) < REACH_PX;
  }

  begin(): void {
    this.held = true;
    this.app.viewState.dragging.value = true;
    const level = this.rig.pitch > LEVEL_PITCH;
    this.plane.setFromNormalAndCoplanarPoint(
      level ? UP : this.rig.camera.getWorldDirection(new Vector3()),
      this.end,
    );
  }

  move(ray: PickRay): void {
    const at = new Ray(new Vector3(...ray.origin), new Vector3(...ray.direction)).intersectPlane(
      this.plane,
      new Vector3(),
    );
    if (!at) {
      return;
    }
    const off = at.sub(this.foot);
    // Near the foot there is none.
    const length = off.length();
    const speed = length <= STUB ? 0 : Math.min(length / METRES_PER_SPEED, 300);
    off.setLength(speed);
    this.velocity = speed === 0 ? [0, 0, 0] : [round(off.x), round(off.y), round(off.z)];
    this.sender.push(this.velocity);
    this.changed();
  }

  release(): void {
    this.held = false;
    this.app.viewState.dragging.value = false;
  }

  dispose(): void {
    this.offs.forEach((off) => off());
    this.line.dispose();
    [this.tip, this.knob].forEach((mesh) => {
      mesh.geometry.dispose();
      mesh.material.dispose();
    });
  }
}

const UP = new Vector3(0, 1, 0);

// Hundredths of a metre a second are enough.
function round(x: number): number {
  return Math.round(100 * x) / 100;
}
