// A field of force in hand: its middle, its axis or its region. The picture of it follows at once, and goes back to what
// the document has if the server refuses.
import {Quaternion, Vector3, type Object3D} from 'three';
import type {App} from '../model/app.js';
import {handlesOf, type ForceField} from '../model/forcefields.js';
import {Latest} from '../model/latest.js';
import type {HandleMode} from '../model/viewstate.js';
import type {Held} from './held.js';

const SMALLEST = 0.01;
// The axis of a field in the frame of its handle.
const UP = new Vector3(0, 1, 0);

type Part = Partial<Pick<ForceField, 'position' | 'axis' | 'radius' | 'half_extents' | 'width'>>;

export class ForceHeld implements Held {
  readonly mode: HandleMode;
  readonly space: 'world' | 'local';
  readonly things: Held['things'];
  private readonly sender: Latest<Part>;
  private readonly turned = new Vector3();

  constructor(
    private readonly app: App,
    private readonly field: ForceField,
    wanted: HandleMode,
    refused: () => void,
  ) {
    this.things = {bodies: new Set(), colliders: new Set(), forces: new Set([field.force])};
    this.mode = handlesOf(field).includes(wanted) ? wanted : 'move';
    this.space = this.mode === 'turn' ? 'local' : 'world';
    this.sender = new Latest(async (part: Part) => {
      const done = await app.commands.setForce(field.force, part);
      if (!done.ok) {
        app.notices.error(done.error);
        app.viewState.heldForce.value = null;
        refused();
      }
    });
  }

  place(proxy: Object3D): void {
    const [x, y, z] = this.field.position;
    proxy.position.set(x, y, z);
    proxy.quaternion.copy(this.mode === 'turn' ? turnOf(this.field.axis) : new Quaternion());
    proxy.scale.set(1, 1, 1);
    proxy.updateMatrixWorld();
  }

  begin(): void {}

  moved(proxy: Object3D): void {
    const part = this.partOf(proxy);
    this.sender.push(part);
    this.app.viewState.heldForce.value = {...this.field, ...part};
  }

  end(): void {
    this.app.viewState.heldForce.value = null;
  }

  private partOf({position: p, quaternion, scale: s}: Object3D): Part {
    if (this.mode === 'turn') {
      const {x, y, z} = this.turned.copy(UP).applyQuaternion(quaternion);
      return {axis: [tidy(x), tidy(y), tidy(z)]};
    }
    if (this.mode === 'move') {
      return {position: [tidy(p.x), tidy(p.y), tidy(p.z)]};
    }
    const {radius, half_extents: half} = this.field;
    const pulled = [s.x, s.y, s.z].reduce((most, one) => (Math.abs(one - 1) > Math.abs(most - 1) ? one : most), 1);
    const least = (size: number, factor: number) => tidy(Math.max(SMALLEST, Math.abs(size * factor)));
    return {
      ...(radius > 0 ? {radius: least(radius, pulled)} : {}),
      ...(half.some((edge) => edge > 0)
        ? {half_extents: [least(half[0], s.x), least(half[1], s.y), least(half[2], s.z)]}
        : {}),
    };
  }
}

export function turnOf([x, y, z]: ForceField['axis']): Quaternion {
  return new Quaternion().setFromUnitVectors(UP, new Vector3(x, y, z).normalize());
}

// Tenths of a millimetre are enough.
function tidy(x: number): number {
  return Math.round(1e4 * x) / 1e4;
}
