// Where joints put the vertices of a skinned mesh. The transform of the mesh's own node counts for nothing then (glTF 2.0,
// 3.7.3.3).
//
//     x = (sum of w J / sum of w) x0,   J = (joint to the scene) (inverse bind matrix)
import {Matrix4, type BufferAttribute, type Object3D} from 'three';
import type {GLTF} from 'three/examples/jsm/loaders/GLTFLoader.js';

import type {Marks, Skin} from './gltf.js';

// Column-major, 4 × 4, for the vertex of that number.
export type Pose = (vertex: number) => ArrayLike<number>;

// Of each mesh in the scene; null where the node's transform holds.
export type Poses = (object: Object3D) => Pose | null;

export async function posesOf({scene, parser}: GLTF, skins: readonly Skin[]): Promise<Poses> {
  scene.updateMatrixWorld(true);
  const nodes = new Map<number, Object3D>();
  scene.traverse((object) => {
    const {node} = object.userData as Marks;
    if (node !== undefined) nodes.set(node, object);
  });
  const joints = await Promise.all(
    skins.map(async (skin) => {
      const binds =
        skin.inverseBindMatrices === undefined
          ? null
          : ((await parser.getDependency('accessor', skin.inverseBindMatrices)) as BufferAttribute);
      return skin.joints.map((node, i) => {
        const joint = nodes.get(node);
        if (!joint) return null;
        const bind = new Matrix4();
        if (binds) bind.fromArray(binds.array, 16 * i);
        return bind.premultiply(joint.matrixWorld).elements;
      });
    }),
  );
  return (object) => {
    // Several shapes of one mesh are children without a mark under the node that has it.
    const own = object.userData as Marks;
    const {skin} = own.node === undefined ? ((object.parent?.userData ?? {}) as Marks) : own;
    return skin === undefined ? null : poseOf(object, joints[skin]);
  };
}

function poseOf(object: Object3D, joints: readonly (ArrayLike<number> | null)[] | undefined): Pose | null {
  const {geometry} = object as unknown as {geometry: import('three').BufferGeometry};
  const sets: (readonly [BufferAttribute, BufferAttribute])[] = [];
  for (let set = 0; geometry.hasAttribute(`_joints_${set}`) && geometry.hasAttribute(`_weights_${set}`); set++)
    sets.push([
      geometry.getAttribute(`_joints_${set}`) as BufferAttribute,
      geometry.getAttribute(`_weights_${set}`) as BufferAttribute,
    ]);
  // Joints that are in another scene, or in none, pose nothing.
  if (!joints || sets.length === 0 || joints.includes(null)) return null;
  const rest = object.matrixWorld.elements;
  const sum = new Float64Array(16);
  return (vertex) => {
    let whole = 0;
    sum.fill(0);
    for (const [which, weights] of sets) {
      for (let k = 0; k < 4; k++) {
        const weight = weights.getComponent(vertex, k);
        if (weight === 0) continue;
        const joint = joints[which.getComponent(vertex, k)];
        if (!joint) throw new Error('A vertex names a joint that does not exist.');
        for (let i = 0; i < 16; i++) sum[i]! += weight * joint[i]!;
        whole += weight;
      }
    }
    return whole > 0 ? sum.map((part) => part / whole) : rest;
  };
}
