// Points that are measured from: where one is that a hit names, and where it is now.
import {Quaternion, Vector3} from 'three';
import type {Anchor} from '../model/measures.js';
import type {Vec3} from '../model/values.js';
import type {Content, Hit} from './content.js';

interface Frame {
  readonly position: Vector3;
  readonly turn: Quaternion;
}

// The thing that a point goes with; null if it is gone.
function frameOf(content: Content, anchor: Anchor): Frame | null {
  if (anchor.kind === 'collider') {
    const mesh = content.colliders.get(anchor.collider)?.mesh;
    return mesh ? {position: mesh.position, turn: mesh.quaternion} : null;
  }
  const view = content.bodies.get(anchor.body);
  if (!view || 3 * anchor.particle + 2 >= view.positions.length) {
    return null;
  }
  // Particles have no orientation, except those that are pieces of a rigid body.
  const turn = new Quaternion();
  if (view.turns) {
    turn.fromArray(view.turns, 4 * anchor.particle);
  }
  return {position: new Vector3().fromArray(view.positions, 3 * anchor.particle), turn};
}

export function anchorOf(content: Content, {body, particle, collider, point}: Hit): Anchor | null {
  const bare: Anchor | null =
    body !== null
      ? {kind: 'particle', body, particle}
      : collider !== null
        ? {kind: 'collider', collider, at: [0, 0, 0]}
        : null;
  const frame = bare && frameOf(content, bare);
  if (!bare || !frame) {
    return null;
  }
  if (body !== null && !content.bodies.get(body)?.turns) {
    return bare;
  }
  const at = new Vector3(...point).sub(frame.position).applyQuaternion(frame.turn.clone().invert());
  return {...bare, at: at.toArray()};
}

// As it is drawn; null if it is gone.
export function placeOf(content: Content, anchor: Anchor): Vec3 | null {
  const frame = frameOf(content, anchor);
  return frame && new Vector3(...(anchor.at ?? [0, 0, 0])).applyQuaternion(frame.turn).add(frame.position).toArray();
}
