// Bodies and colliders of the world as objects of the scene, kept equal to the document, and what a ray or a point of
// the page meets among them.
import {Box3, Group, Matrix4, Quaternion, Raycaster, Vector2, Vector3, type BufferGeometry} from 'three';
import type {WorldDocument} from '../model/document.js';
import type {Frame, Vec4} from '../../lib/index.js';
import type {Skin, Topology, Vec3} from '../model/values.js';
import type {Aside} from './aside.js';
import {BodyView, type Paint, type ShownLines} from './body.js';
import type {CameraRig} from './camera.js';
import {ColliderView} from './collider.js';
import type {Detail} from './sheet.js';
import {mixFrames, mixPoses} from './mix.js';
import {
  hitBox,
  hitCapsule,
  hitCylinder,
  hitPlane,
  hitSphere,
  hitTriangles,
  meetsBox,
  nearestCorner,
  nearestParticle,
  type Ray,
  type Screen,
} from './pick.js';

export interface Hit {
  // From the camera along the ray.
  readonly distance: number;
  readonly point: Vec3;
  // One of both.
  readonly body: number | null;
  readonly collider: number | null;
  // Of a body: the nearest particle.
  readonly particle: number;
}

interface Pose {
  readonly position: Vec3;
  readonly rotation: Vec4;
}

// A ray that passes nothing nearer than this may still take hold of it: a share of how far away things are.
const ALMOST = 0.02;

export class Content {
  readonly object = new Group();
  readonly bodies = new Map<number, BodyView>();
  readonly colliders = new Map<number, ColliderView>();
  private readonly raycaster = new Raycaster();
  private readonly pointer = new Vector2();
  private readonly matrix = new Matrix4();
  private readonly turned = new Vector3();
  private readonly inverse = new Quaternion();
  private readonly stale = new Set<number>();
  private size = {width: 1, height: 1};
  // Of colliders that go by keyframes, where the picture has them.
  private readonly poses = new Map<number, Pose>();

  constructor(
    private readonly rig: CameraRig,
    private readonly element: HTMLElement,
    private readonly aside: Aside,
  ) {}

  // -- following the document

  // What the document has; new bodies appear once their topology is there. True if anything changed.
  sync(document: WorldDocument, paint: Paint, lines: ShownLines): boolean {
    let changed = false;
    const bodies = document.bodies.peek();
    const colliders = document.colliders.peek();
    for (const [id, view] of this.bodies) {
      if (!bodies.has(id) || !sameElements(view.topology, bodies.get(id)?.topology ?? view.topology)) {
        this.object.remove(view.object);
        view.dispose();
        this.bodies.delete(id);
        changed = true;
      } else if (view.body !== bodies.get(id)) {
        view.update(bodies.get(id)!);
      }
    }
    for (const [id, body] of bodies) {
      if (body.topology && !this.bodies.has(id)) {
        const view = new BodyView(body, body.topology, this.aside);
        view.showLines(lines);
        view.paint(paint);
        this.bodies.set(id, view);
        this.object.add(view.object);
        changed = true;
      }
    }
    for (const [id, view] of this.colliders) {
      if (colliders.get(id)?.kind !== view.collider.kind) {
        this.object.remove(view.mesh);
        view.dispose();
        this.colliders.delete(id);
        changed = true;
      }
    }
    for (const [id, collider] of colliders) {
      const view = this.colliders.get(id);
      if (!view) {
        const added = new ColliderView(collider);
        added.paint(paint);
        this.colliders.set(id, added);
        this.object.add(added.mesh);
        changed = true;
      } else if (view.source !== collider) {
        view.update(collider);
        const pose = this.poses.get(id);
        if (pose) {
          view.move(pose.position, pose.rotation);
        }
        changed = true;
      }
    }
    return changed;
  }

  paint(paint: Paint): void {
    this.bodies.forEach((body) => body.paint(paint));
    this.colliders.forEach((collider) => collider.paint(paint));
  }

  // How much of large surfaces is drawn.
  set detail(detail: Detail) {
    this.bodies.forEach(({sheet}) => {
      if (sheet) {
        sheet.detail = detail;
      }
    });
  }

  clear(): void {
    for (const view of this.bodies.values()) {
      this.object.remove(view.object);
      view.dispose();
    }
    for (const view of this.colliders.values()) {
      this.object.remove(view.mesh);
      view.dispose();
    }
    this.bodies.clear();
    this.colliders.clear();
  }

  // Of those that are seen on this page.
  readonly shownOf = (body: number): Float32Array | null => {
    const view = this.bodies.get(body);
    return view && !view.hidden ? view.positions : null;
  };

  readonly positionsOf = (body: number): Float32Array | null => this.bodies.get(body)?.positions ?? null;

  // Shows the world between two frames.
  apply(a: Frame, b: Frame, alpha: number): void {
    const turnsOf = (body: number) => this.bodies.get(body)?.turns ?? null;
    mixFrames(a, b, alpha, this.positionsOf, (body) => this.stale.add(body), turnsOf);
    for (const body of this.stale) {
      this.bodies.get(body)?.refresh();
    }
    this.stale.clear();
    this.poses.clear();
    mixPoses(a, b, alpha, (id, position, rotation) => {
      this.poses.set(id, {position, rotation});
      this.colliders.get(id)?.move(position, rotation);
    });
  }

  // Of each body and each solid, hidden ones too.
  boxes(): {min: Vec3; max: Vec3}[] {
    const boxes: {min: Vec3; max: Vec3}[] = [];
    for (const {bounds} of this.bodies.values()) {
      const [x0, y0, z0] = bounds.min;
      const [x1, y1, z1] = bounds.max;
      if (x0 <= x1) {
        boxes.push({min: [x0, y0, z0], max: [x1, y1, z1]});
      }
    }
    const box = new Box3();
    for (const {collider, mesh} of this.colliders.values()) {
      if (collider.kind !== 'plane') {
        box.setFromObject(mesh);
        boxes.push({min: box.min.toArray(), max: box.max.toArray()});
      }
    }
    return boxes;
  }

  // Of all bodies, and of solids; a ground has no end and does not count. What is hidden counts where it is named.
  bounds(
    box: Box3,
    only: {readonly bodies?: ReadonlySet<number>; readonly colliders?: ReadonlySet<number>} | null = null,
  ): Box3 {
    box.makeEmpty();
    for (const [id, view] of this.bodies) {
      const {min, max} = view.bounds;
      if ((only ? only.bodies?.has(id) : !view.hidden) && min[0] <= max[0]) {
        box.expandByPoint(this.turned.set(min[0], min[1], min[2]));
        box.expandByPoint(this.turned.set(max[0], max[1], max[2]));
      }
    }
    for (const [id, view] of this.colliders) {
      const all = view.collider.kind !== 'plane' && !view.hidden;
      if (only ? only.colliders?.has(id) : all) {
        if (view.collider.kind === 'plane') {
          box.expandByPoint(view.mesh.position);
        } else {
          box.expandByObject(view.mesh);
        }
      }
    }
    return box;
  }

  // -- pointing

  // The view, in CSS pixels. To ask the element each frame would have the page laid out each frame.
  resize(width: number, height: number): void {
    this.size = {width: Math.max(1, width), height: Math.max(1, height)};
  }

  get screen(): Screen {
    const {camera} = this.rig;
    this.matrix.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
    return {matrix: this.matrix.elements, ...this.size};
  }

  private get almost(): number {
    return ALMOST * this.rig.distance;
  }

  // From page coordinates to those of the view.
  local(x: number, y: number): {x: number; y: number} {
    const rect = this.element.getBoundingClientRect();
    return {x: x - rect.left, y: y - rect.top};
  }

  rayAt(x: number, y: number): Ray {
    const at = this.local(x, y);
    const {width, height} = this.size;
    this.pointer.set((2 * at.x) / width - 1, 1 - (2 * at.y) / height);
    this.raycaster.setFromCamera(this.pointer, this.rig.camera);
    const {origin, direction} = this.raycaster.ray;
    return {origin: [origin.x, origin.y, origin.z], direction: [direction.x, direction.y, direction.z]};
  }

  // A point under one of the page, as far away as another point of the world.
  beside(x: number, y: number, as: Vector3): Vec3 {
    const ray = this.rayAt(x, y);
    const forward = this.rig.camera.getWorldDirection(this.turned);
    const off = as.clone().sub(new Vector3(...ray.origin)).dot(forward);
    return along(ray, off / forward.dot(new Vector3(...ray.direction)));
  }

  // The surface under a point of the page.
  hit(x: number, y: number): Hit | null {
    const ray = this.rayAt(x, y);
    let best: Hit | null = this.hitCollider(ray);
    for (const [body, view] of this.bodies) {
      const {sheet} = view;
      const limit = best?.distance ?? Infinity;
      if (!sheet || view.passed || !meetsBox(ray, view.bounds, limit)) {
        continue;
      }
      const found = hitTriangles(ray, sheet.vertices, sheet.corners, limit);
      if (found) {
        const point = along(ray, found.distance);
        const particle = sheet.particleAt(sheet.corners[found.triangle + nearestCorner(found)], point);
        best = {distance: found.distance, point, body, collider: null, particle};
      }
    }
    return best;
  }

  // As hit(), but what is thin or small is found within `reach` pixels: particles of ropes and points before what is
  // behind them, and if there is nothing at all under the pointer the particle nearest to it.
  hitNear(x: number, y: number, reach: number): Hit | null {
    const surface = this.hit(x, y);
    const thin = this.particleNear(
      x,
      y,
      reach,
      surface ? surface.distance + this.almost : Infinity,
      (view) => !view.sheet,
    );
    if (thin) {
      return thin;
    }
    if (surface && surface.body !== null) {
      return surface;
    }
    const solid =
      surface && surface.collider !== null && this.colliders.get(surface.collider)?.collider.kind !== 'plane';
    const near = solid
      ? null
      : this.particleNear(x, y, reach, surface ? surface.distance + this.almost : Infinity, () => true);
    return near ?? surface;
  }

  // A particle within `reach` pixels and no farther than `limit`.
  particleNear(
    x: number,
    y: number,
    reach: number,
    limit: number,
    of: (view: BodyView) => boolean,
  ): Hit | null {
    const at = this.local(x, y);
    const {screen} = this;
    const ray = this.rayAt(x, y);
    const forward = this.rig.camera.getWorldDirection(this.turned);
    const slant = forward.x * ray.direction[0] + forward.y * ray.direction[1] + forward.z * ray.direction[2];
    let best: Hit | null = null;
    for (const [body, view] of this.bodies) {
      if (view.passed || !of(view)) {
        continue;
      }
      const depthLimit = (best?.distance ?? limit) * slant;
      // Of a body in a skin, the skin's vertices are what can be pointed at.
      const skin = view.hasSkin ? view.sheet : null;
      const from = skin?.vertices ?? view.positions;
      const found = nearestParticle(screen, from, at.x, at.y, reach, depthLimit);
      if (found) {
        const i = 3 * found.particle;
        const point: Vec3 = [from[i], from[i + 1], from[i + 2]];
        const particle = skin ? skin.particleAt(found.particle, point) : found.particle;
        best = {distance: found.depth / slant, point, body, collider: null, particle};
      }
    }
    return best;
  }

  private hitCollider(ray: Ray): Hit | null {
    let best: Hit | null = null;
    for (const [id, view] of this.colliders) {
      if (view.passed) {
        continue;
      }
      const {position, quaternion} = view.mesh;
      this.inverse.copy(quaternion).invert();
      const origin = this.turned
        .set(...(ray.origin as [number, number, number]))
        .sub(position)
        .applyQuaternion(this.inverse)
        .toArray();
      const direction = this.turned
        .set(...(ray.direction as [number, number, number]))
        .applyQuaternion(this.inverse)
        .toArray();
      const local: Ray = {origin, direction};
      const distance = hitShape(view, local);
      if (distance !== null && distance < (best?.distance ?? Infinity)) {
        best = {distance, point: along(ray, distance), body: null, collider: id, particle: 0};
      }
    }
    return best;
  }
}

function hitGeometry(ray: Ray, geometry: BufferGeometry): number | null {
  const places = geometry.getAttribute('position').array as Float32Array;
  const corners = Uint32Array.from({length: places.length / 3}, (_, i) => i);
  return hitTriangles(ray, places, corners)?.distance ?? null;
}

function hitShape(view: ColliderView, ray: Ray): number | null {
  const {kind, radius, length, half_extents: half} = view.collider;
  switch (kind) {
    case 'plane':
      return hitPlane(ray);
    case 'sphere':
      return hitSphere(ray, radius);
    case 'capsule':
      return hitCapsule(ray, radius, length);
    case 'box':
      return hitBox(ray, half);
    case 'cylinder':
      return hitCylinder(ray, radius, length);
    case 'convex':
    case 'height_field':
      return hitGeometry(ray, view.mesh.geometry);
  }
}

function along(ray: Ray, distance: number): Vec3 {
  const {origin, direction} = ray;
  return [
    origin[0] + distance * direction[0],
    origin[1] + distance * direction[1],
    origin[2] + distance * direction[2],
  ];
}

function sameElements(a: Topology, b: Topology): boolean {
  const same = (one: Skin | null, other: Skin | null) =>
    one === other ||
    (one !== null &&
      other !== null &&
      sameArray(one.triangles, other.triangles) &&
      sameArray(one.particles, other.particles) &&
      sameArray(one.weights, other.weights));
  return (
    sameArray(a.triangles, b.triangles) &&
    sameArray(a.edges, b.edges) &&
    sameArray(a.tets, b.tets) &&
    same(a.skin, b.skin)
  );
}

function sameArray(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a === b) {
    return true;
  }
  if (a.length !== b.length) {
    return false;
  }
  for (let i = 0; i < a.length; i++) {
    if (a[i] !== b[i]) {
      return false;
    }
  }
  return true;
}
