// Others in the picture: a cross where each points, and the pyramid that each looks through, in their colour and with their
// name. Who looks from where this page looks has no pyramid in its way.
import {Color, Group, Vector3} from 'three';
import type {People, Presence} from '../model/people.js';
import type {Vec3} from '../model/values.js';
import type {CameraRig} from './camera.js';
import type {Content} from './content.js';
import {Lines} from './lines.js';
import {toPage} from './pick.js';
import {packed} from './strain.js';

const LINES_EACH = 3 + 8;
// Of the picture's height, as wide as a pyramid and a cross are.
const ASPECT = 1.5;
const CROSS_SHARE = 0.012;
const DEPTH_SHARE = 0.12;

export class Others {
  readonly object = new Group();
  private readonly lines = new Lines(0.9, false, 6);
  private readonly layer: HTMLElement;
  private readonly names: HTMLElement[] = [];
  private positions = new Float32Array(0);
  private colors = new Uint32Array(0);
  private readonly forward = new Vector3();
  private readonly right = new Vector3();
  private readonly up = new Vector3();

  constructor(
    private readonly people: People,
    private readonly content: Content,
    private readonly rig: CameraRig,
    stage: HTMLElement,
  ) {
    this.object.add(this.lines.object);
    this.layer = document.createElement('div');
    this.layer.className = 'view-others';
    // The list of people says the same.
    this.layer.setAttribute('aria-hidden', 'true');
    stage.append(this.layer);
  }

  dispose(): void {
    this.lines.dispose();
    this.layer.remove();
  }

  // Whose selection a thing is in; null: nobody's.
  holderOf(kind: 'bodies' | 'colliders', id: number): Color | null {
    for (const other of this.people.others.peek().values()) {
      if (other[kind].has(id)) {
        return new Color(other.color);
      }
    }
    return null;
  }

  // Before each drawing.
  place(): void {
    const others = [...this.people.others.peek().values()];
    this.reserve(others.length * LINES_EACH);
    let line = 0;
    const add = (a: Vec3, b: Vec3, color: number) => {
      this.positions.set(a, 6 * line);
      this.positions.set(b, 6 * line + 3);
      this.colors.fill(color, 2 * line, 2 * line + 2);
      line += 1;
    };
    others.forEach((other, i) => {
      const {r, g, b} = new Color(other.color);
      const color = packed([r, g, b]);
      if (other.cursor !== null && !other.away) {
        this.addCross(other.cursor, color, add);
      }
      if (other.camera !== null && other.session !== this.people.following.peek()) {
        this.addPyramid(other.camera, color, add);
      }
      this.name(i, other);
    });
    this.names.slice(others.length).forEach((name) => {
      name.hidden = true;
    });
    this.lines.show(line, true);
  }

  private reserve(lines: number): void {
    if (this.positions.length < 6 * lines) {
      this.positions = new Float32Array(12 * lines);
      this.colors = new Uint32Array(4 * lines);
      this.lines.take(this.positions, this.colors);
    }
  }

  private addCross(at: Vec3, color: number, add: (a: Vec3, b: Vec3, color: number) => void): void {
    const far = this.rig.camera.position.distanceTo(new Vector3(...at)) / this.rig.farther;
    const size = CROSS_SHARE * far;
    for (const axis of [0, 1, 2]) {
      const end = (by: number) => at.map((x, i) => x + (i === axis ? by : 0)) as unknown as Vec3;
      add(end(-size), end(size), color);
    }
  }

  private addPyramid(
    camera: NonNullable<Presence['camera']>,
    color: number,
    add: (a: Vec3, b: Vec3, color: number) => void,
  ): void {
    const eye = new Vector3(...camera.position);
    const toward = this.forward.set(...camera.target).sub(eye);
    const depth = DEPTH_SHARE * toward.length();
    if (!(depth > 0)) {
      return;
    }
    toward.normalize();
    this.right.set(...camera.up).cross(toward).negate().normalize();
    this.up.copy(this.right).cross(toward);
    const high = depth * Math.tan(Math.min(3, camera.fov) / 2);
    const corner = (x: number, y: number): Vec3 => {
      const at = eye
        .clone()
        .addScaledVector(toward, depth)
        .addScaledVector(this.right, x * high * ASPECT)
        .addScaledVector(this.up, y * high);
      return [at.x, at.y, at.z];
    };
    const corners = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
    corners.forEach((one, i) => {
      add(camera.position as Vec3, one, color);
      add(one, corners[(i + 1) % 4]!, color);
    });
  }

  // At the cursor, or else at the eye.
  private name(i: number, other: Presence): void {
    const name = (this.names[i] ??= this.layer.appendChild(document.createElement('span')));
    const follows = other.session === this.people.following.peek();
    const at = other.away ? null : (other.cursor ?? (follows ? null : (other.camera?.position ?? null)));
    const where = {x: 0, y: 0, depth: 0};
    if (at !== null) {
      toPage(this.content.screen, at[0], at[1], at[2], where);
    }
    name.hidden = !(where.depth > 0);
    if (name.hidden) {
      return;
    }
    name.className = `view-other ${other.cursor ? 'cursor' : 'eye'}`;
    name.dataset['session'] = `${other.session}`;
    name.style.setProperty('--other', other.color);
    name.style.transform = `translate(${where.x.toFixed(1)}px, ${where.y.toFixed(1)}px)`;
    if (name.textContent !== other.name) {
      name.textContent = other.name;
    }
  }
}
