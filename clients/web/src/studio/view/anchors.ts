// Points that are measured from: where one is that a hit names, and where it is now.
import {Quaternion, Vector3} from 'three';
import type {Anchor} from '../model/measures.js';
import type {Vec3} from '../model/values.js';
import type {Content, Hit} from './content.js';

export function anchorOf(content: Content, {body, particle, collider, point}: Hit): Anchor | null {
  if (body !== null) {
    return {kind: 'particle', body, particle};
  }
  const mesh = collider === null ? undefined : content.colliders.get(collider)?.mesh;
  if (collider === null || !mesh) {
    return null;
  }
  const at = new Vector3(...point).sub(mesh.position).applyQuaternion(new Quaternion().copy(mesh.quaternion).invert());
  return {kind: 'collider', collider, at: at.toArray()};
}

// As it is drawn; null if it is gone.
export function placeOf(content: Content, anchor: Anchor): Vec3 | null {
  if (anchor.kind === 'particle') {
    const positions = content.positionsOf(anchor.body);
    const i = 3 * anchor.particle;
    return positions && i + 2 < positions.length ? [positions[i]!, positions[i + 1]!, positions[i + 2]!] : null;
  }
  const mesh = content.colliders.get(anchor.collider)?.mesh;
  return mesh ? new Vector3(...anchor.at).applyQuaternion(mesh.quaternion).add(mesh.position).toArray() : null;
}
