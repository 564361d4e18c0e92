// The anchor and the axis of a joint that is being made. Nothing is sent: the form has them until it is added.
import type {Object3D} from 'three';
import {Vector3} from 'three';
import type {App} from '../model/app.js';
import type {HandleMode} from '../model/viewstate.js';
import {turnOf} from './handleforce.js';
import type {Held} from './held.js';

const UP = new Vector3(0, 1, 0);

export class AnchorHeld implements Held {
  readonly mode: HandleMode;
  readonly things: Held['things'] = {bodies: new Set(), colliders: new Set(), forces: new Set()};
  readonly space: 'world' | 'local';

  constructor(
    private readonly app: App,
    wanted: HandleMode,
  ) {
    this.mode = wanted === 'turn' ? 'turn' : 'move';
    this.space = this.mode === 'turn' ? 'local' : 'world';
  }

  place(proxy: Object3D): void {
    const draft = this.app.viewState.draftJoint.peek();
    if (!draft) return;
    proxy.position.set(...(draft.anchor as [number, number, number]));
    proxy.quaternion.copy(turnOf(draft.axis));
    if (this.mode === 'move') proxy.quaternion.identity();
    proxy.scale.set(1, 1, 1);
    proxy.updateMatrixWorld();
  }

  begin(): void {}

  moved({position, quaternion}: Object3D): void {
    const {draftJoint} = this.app.viewState;
    const draft = draftJoint.peek();
    if (!draft) return;
    const {x, y, z} = UP.clone().applyQuaternion(quaternion);
    draft.give(
      this.mode === 'move'
        ? {anchor: [tidy(position.x), tidy(position.y), tidy(position.z)]}
        : {axis: [tidy(x), tidy(y), tidy(z)]},
    );
  }

  end(): void {}
}

function tidy(x: number): number {
  return Math.round(1e4 * x) / 1e4;
}
