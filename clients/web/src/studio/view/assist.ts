// Makes a handle exact: by the number beside it, by steps, by snapping, and by a number that is typed.
//
//     press ──▶ begin ──▶ adjust, at each move of the pointer ──▶ release ──▶ set, as often as a number is typed
//
// The model's handleNumber tells the panels of it (viewstate.ts). The number stays after the release until the handle is another.
import {Box3, Quaternion, Vector3, type Object3D, type PerspectiveCamera} from 'three';
import type {App} from '../model/app.js';
import {angleText, factorText, lengthText} from '../model/quantities.js';
import {
  gridStep,
  Points,
  reachOf,
  snapAngle,
  snapFactor,
  snapMove,
  type Box,
  type Caught,
} from '../model/snapping.js';
import type {HandleMode} from '../model/viewstate.js';
import type {Vec3} from '../model/values.js';
import type {Content} from './content.js';
import type {Held} from './held.js';
import {Labels} from './labels.js';
import {toPage} from './pick.js';

// Vertices of what is held that look for others, and others that are met.
const OWN_VERTICES = 1500;
const OTHER_VERTICES = 60_000;
// A ground is level.
const LEVEL = 0.999;
const WORDS: Readonly<Record<Caught, string>> = {step: '', side: 'side', middle: 'centre', ground: 'ground', vertex: 'vertex'};
const AXES = {X: [1, 0, 0], Y: [0, 1, 0], Z: [0, 0, 1]} as const;

interface Grip {
  readonly held: Held;
  // As three.js names it: X, XY, XYZ, E.
  readonly axis: string;
  readonly position: Vector3;
  readonly quaternion: Quaternion;
  readonly box: Box;
  readonly step: number;
  readonly others: readonly Box[];
  readonly ground: number | null;
  readonly own: Float32Array;
  readonly points: Points;
}

// How the handles are moved by something else than the pointer.
export interface Hand {
  // Takes hold, has `change` move the proxy, and lets go. While the pointer holds it: only moves it.
  change(change: () => void): void;
  // Lets go of what the pointer holds.
  release(): void;
}

export class Assist {
  private readonly labels: Labels;
  private grip: Grip | null = null;
  private holding = false;
  private typed = false;
  private ctrl = false;
  private value = 0;
  // Along which a move goes, or about which a turn does.
  private readonly way = new Vector3();
  private caught: Caught | null = null;
  private readonly turn = new Quaternion();
  private readonly offset = new Vector3();

  constructor(
    private readonly app: App,
    private readonly content: Content,
    private readonly proxy: Object3D,
    private readonly camera: PerspectiveCamera,
    private readonly element: HTMLElement,
    private readonly hand: Hand,
  ) {
    this.labels = new Labels(element.parentElement ?? element);
    addEventListener('pointermove', this.watch, {capture: true, passive: true});
    addEventListener('keydown', this.watch, {capture: true, passive: true});
    addEventListener('keyup', this.watch, {capture: true, passive: true});
  }

  dispose(): void {
    removeEventListener('pointermove', this.watch, {capture: true});
    removeEventListener('keydown', this.watch, {capture: true});
    removeEventListener('keyup', this.watch, {capture: true});
    this.leave();
    this.labels.dispose();
  }

  private readonly watch = (event: PointerEvent | KeyboardEvent): void => {
    const ctrl = event.ctrlKey || event.metaKey;
    if (ctrl !== this.ctrl) {
      this.ctrl = ctrl;
    }
  };

  // The pointer has a handle of the proxy.
  begin(held: Held, axis: string): void {
    const {position, quaternion} = this.proxy;
    const pixel =
      (2 * this.camera.position.distanceTo(position) * Math.tan((this.camera.fov * Math.PI) / 360)) /
      Math.max(1, this.element.clientHeight);
    const step = gridStep(pixel);
    const {own, others, ground, points} = this.around(held, reachOf(step));
    const box = boxOf(this.content.bounds(new Box3(), held.things), position);
    this.grip = {
      held,
      axis,
      position: position.clone(),
      quaternion: quaternion.clone(),
      box,
      step,
      others,
      ground,
      own,
      points,
    };
    this.holding = true;
    this.typed = false;
    this.caught = null;
    this.value = held.mode === 'size' ? 1 : 0;
    this.way.fromArray(this.firstWay());
    this.tell();
  }

  // The pointer has moved the proxy: it snaps, or stays where the number that was typed has it.
  adjust(): void {
    const {grip} = this;
    if (!grip || !this.holding) {
      return;
    }
    if (this.typed) {
      this.put(this.value);
      return;
    }
    const snaps = this.app.viewState.snapping.peek() !== this.ctrl;
    this.caught = null;
    if (grip.held.mode === 'move') {
      this.adjustMove(grip, snaps);
    } else if (grip.held.mode === 'turn') {
      this.adjustTurn(grip, snaps);
    } else {
      this.adjustSize(snaps);
    }
    this.tell();
  }

  release(): void {
    this.holding = false;
    this.typed = false;
    this.tell();
  }

  // The handles are those of something else, or none.
  leave(): void {
    this.grip = null;
    this.holding = false;
    this.app.viewState.handleNumber.value = null;
    this.labels.show([]);
  }

  // Whether the handles still hold the things that the number is about.
  stays(held: Held | null): boolean {
    const same = (a: ReadonlySet<number>, b: ReadonlySet<number>) => a.size === b.size && [...a].every((id) => b.has(id));
    const grip = this.grip?.held;
    return (
      !!grip &&
      !!held &&
      grip.mode === held.mode &&
      same(grip.things.bodies, held.things.bodies) &&
      same(grip.things.colliders, held.things.colliders) &&
      same(grip.things.forces, held.things.forces)
    );
  }

  // Before a drawing.
  place(): void {
    const {grip} = this;
    if (!grip || !this.holding) {
      this.labels.show([]);
      return;
    }
    const at = {x: 0, y: 0, depth: 0};
    const {x, y, z} = this.proxy.position;
    toPage(this.content.screen, x, y, z, at);
    this.labels.show(at.depth > 0 ? [{x: at.x + 14, y: at.y - 26, text: this.text(grip), tone: 'own'}] : []);
  }

  // -- numbers

  private set(value: number): void {
    const {grip} = this;
    if (!grip) {
      return;
    }
    if (this.holding) {
      this.typed = true;
      this.hand.change(() => this.put(value));
    } else {
      const before = this.value;
      if (grip.held.mode === 'turn') {
        // About the same place, although the middle of what was turned may be another now.
        this.proxy.position.copy(grip.position);
      }
      this.hand.change(() => this.shift(grip, before, value));
    }
    this.value = value;
    this.caught = null;
    this.tell();
  }

  // To so much from where the press was.
  private put(value: number): void {
    const {grip, proxy} = this;
    if (!grip) {
      return;
    }
    if (grip.held.mode === 'move') {
      proxy.position.copy(grip.position).addScaledVector(this.way, value);
    } else if (grip.held.mode === 'turn') {
      proxy.quaternion.copy(grip.quaternion);
      this.turnBy(grip, value);
    } else {
      proxy.scale.copy(factors(grip.axis, value));
    }
    proxy.updateMatrixWorld();
  }

  // The proxy stands where the release left it: by what another number is more.
  private shift(grip: Grip, before: number, value: number): void {
    const {proxy} = this;
    if (grip.held.mode === 'move') {
      proxy.position.addScaledVector(this.way, value - before);
    } else if (grip.held.mode === 'turn') {
      this.turnBy(grip, value - before);
    } else {
      proxy.scale.multiply(factors(grip.axis, value / before));
    }
    proxy.updateMatrixWorld();
  }

  private turnBy(grip: Grip, angle: number): void {
    this.turn.setFromAxisAngle(this.way, angle);
    if (this.isLocal(grip)) {
      this.proxy.quaternion.multiply(this.turn);
    } else {
      this.proxy.quaternion.premultiply(this.turn);
    }
  }

  // A ring that lies in the picture turns about what is looked along, whatever the space.
  private isLocal({held, axis}: Grip): boolean {
    return held.space === 'local' && axis in AXES;
  }

  private firstWay(): Vec3 {
    const {axis, held} = this.grip!;
    const first = AXES[(axis[0] ?? 'X') as keyof typeof AXES];
    if (held.mode === 'turn' && !(axis in AXES)) {
      return this.camera.getWorldDirection(this.offset).negate().toArray();
    }
    return first ?? AXES.X;
  }

  private adjustMove(grip: Grip, snaps: boolean): void {
    const {proxy} = this;
    this.offset.copy(proxy.position).sub(grip.position);
    if (snaps) {
      const {box, step, others, ground, own, points, axis} = grip;
      const axes = [axis.includes('X'), axis.includes('Y'), axis.includes('Z')] as const;
      const offset = this.offset.toArray() as Vec3;
      const snapped = snapMove({box, offset, axes, step, others, ground, own, points});
      this.caught = snapped.caught;
      this.offset.set(...(snapped.offset as [number, number, number]));
      proxy.position.copy(grip.position).add(this.offset);
      proxy.updateMatrixWorld();
    }
    const first = AXES[grip.axis as keyof typeof AXES];
    const length = this.offset.length();
    if (first) {
      this.value = this.offset.dot(this.way);
    } else {
      this.value = length;
      if (length > 1e-9) {
        this.way.copy(this.offset).divideScalar(length);
      }
    }
  }

  private adjustTurn(grip: Grip, snaps: boolean): void {
    const {proxy, turn, way} = this;
    const back = grip.quaternion.clone().invert();
    if (this.isLocal(grip)) {
      turn.copy(back).multiply(proxy.quaternion);
    } else {
      turn.copy(proxy.quaternion).multiply(back);
    }
    if (grip.axis === 'XYZE') {
      // A free turn has another axis at each move.
      const sine = Math.hypot(turn.x, turn.y, turn.z);
      if (sine > 1e-9) {
        way.set(turn.x, turn.y, turn.z).divideScalar(sine);
      }
    }
    const angle = 2 * Math.atan2(turn.x * way.x + turn.y * way.y + turn.z * way.z, turn.w);
    const least = angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
    this.value = snaps ? snapAngle(least) : least;
    if (snaps) {
      this.caught = 'step';
      this.put(this.value);
    }
  }

  private adjustSize(snaps: boolean): void {
    const {scale} = this.proxy;
    const pulled = [scale.x, scale.y, scale.z].reduce((most, one) => (Math.abs(one - 1) > Math.abs(most - 1) ? one : most), 1);
    this.value = snaps ? snapFactor(pulled) : Math.abs(pulled);
    if (snaps) {
      this.caught = 'step';
      const {x, y, z} = scale;
      scale.set(x === 1 ? 1 : snapFactor(x), y === 1 ? 1 : snapFactor(y), z === 1 ? 1 : snapFactor(z));
      this.proxy.updateMatrixWorld();
    }
  }

  // -- words

  private text(grip: Grip): string {
    const word = this.caught ? WORDS[this.caught] : '';
    return `${textOf(grip.held.mode, this.value)}${word && ` · ${word}`}`;
  }

  private tell(): void {
    const {grip} = this;
    if (!grip) {
      return;
    }
    this.app.viewState.handleNumber.value = {
      mode: grip.held.mode,
      axis: grip.axis in AXES ? grip.axis : '',
      value: this.value,
      caught: this.caught ? WORDS[this.caught] : '',
      holding: this.holding,
      set: (value) => this.set(value),
      release: () => this.hand.release(),
      leave: () => this.leave(),
    };
  }

  // -- what is around

  private around({things}: Held, reach: number): Pick<Grip, 'own' | 'others' | 'ground' | 'points'> {
    const others: Box[] = [];
    const vertices: Float32Array[] = [];
    const own: number[] = [];
    let [left, ground] = [OTHER_VERTICES, null as number | null];
    for (const [id, view] of this.content.bodies) {
      const {positions} = view;
      if (things.bodies.has(id)) {
        const stride = 3 * Math.max(1, Math.ceil(positions.length / 3 / OWN_VERTICES));
        for (let i = 0; i + 2 < positions.length; i += stride) {
          own.push(positions[i]!, positions[i + 1]!, positions[i + 2]!);
        }
      } else if (!view.hidden) {
        const {min, max} = view.bounds;
        others.push({min: [...min] as unknown as Vec3, max: [...max] as unknown as Vec3});
        if (positions.length / 3 <= left) {
          left -= positions.length / 3;
          vertices.push(positions.slice());
        }
      }
    }
    const box = new Box3();
    for (const [id, {collider, hidden, mesh}] of this.content.colliders) {
      if (things.colliders.has(id) || hidden) {
        continue;
      }
      if (collider.kind !== 'plane') {
        others.push(boxOf(box.setFromObject(mesh), mesh.position));
      } else if (collider.normal[1] > LEVEL) {
        ground = Math.max(ground ?? -Infinity, collider.position[1]);
      }
    }
    return {own: Float32Array.from(own), others, ground, points: new Points(reach, vertices)};
  }
}

function boxOf(box: Box3, middle: Vector3): Box {
  return box.isEmpty()
    ? {min: middle.toArray(), max: middle.toArray()}
    : {min: box.min.toArray(), max: box.max.toArray()};
}

function factors(axis: string, value: number): Vector3 {
  const of = (name: string) => (axis.includes(name) ? value : 1);
  return new Vector3(of('X'), of('Y'), of('Z'));
}

function textOf(mode: HandleMode, value: number): string {
  return mode === 'move' ? lengthText(value) : mode === 'turn' ? angleText(value) : factorText(value);
}
