// Writes walker.glb: a tube with a skin of two bones, which bends, goes along and swells, by three.js's GLTFExporter.
import {readFileSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {pathToFileURL} from 'node:url';

const require = createRequire(pathToFileURL(`${process.argv[2]}/package.json`));
globalThis.FileReader = class {
  readAsArrayBuffer(blob) {
    void blob.arrayBuffer().then((bytes) => {
      this.result = bytes;
      this.onloadend();
    });
  }
};
const three = await import(pathToFileURL(require.resolve('three')).href.replace('three.cjs', 'three.module.js'));
const {GLTFExporter} = await import(
  pathToFileURL(require.resolve('three/examples/jsm/exporters/GLTFExporter.js')).href
);
const {AnimationClip, Bone, BoxGeometry, Float32BufferAttribute, MeshStandardMaterial, NumberKeyframeTrack,
  QuaternionKeyframeTrack, Quaternion, Vector3, Scene, Skeleton, SkinnedMesh, Uint16BufferAttribute,
  VectorKeyframeTrack} = three;

// A slab of 2 x 0.2 x 1 m about its middle; its right half follows the second bone more and more.
const geometry = new BoxGeometry(2, 0.2, 1, 16, 1, 8);
const place = geometry.getAttribute('position');
const [joints, weights, lifted] = [[], [], []];
for (let i = 0; i < place.count; ++i) {
  const share = Math.min(1, Math.max(0, place.getX(i) + 0.5));
  joints.push(0, 1, 0, 0);
  weights.push(1 - share, share, 0, 0);
  lifted.push(0, 0.1 * (1 - place.getX(i) ** 2) , 0);
}
geometry.setAttribute('skinIndex', new Uint16BufferAttribute(joints, 4));
geometry.setAttribute('skinWeight', new Float32BufferAttribute(weights, 4));
geometry.morphAttributes.position = [new Float32BufferAttribute(lifted, 3)];
geometry.morphTargetsRelative = true;
const mesh = new SkinnedMesh(geometry, new MeshStandardMaterial({color: 0x8899aa}));
const [root, hinge] = [new Bone(), new Bone()];
[root.name, hinge.name, mesh.name] = ['root', 'hinge', 'slab'];
root.add(hinge);
mesh.add(root);
mesh.bind(new Skeleton([root, hinge]));
const scene = new Scene();
scene.add(mesh);

const times = [0, 0.5, 1, 2];
const turned = (degrees) => new Quaternion().setFromAxisAngle(new Vector3(0, 0, 1), (degrees * Math.PI) / 180).toArray();
const walk = new AnimationClip('walk', 2, [
  new VectorKeyframeTrack('root.position', times, [0, 0, 0, 0.25, 0, 0, 0.5, 0.1, 0, 1, 0, 0]),
  new QuaternionKeyframeTrack('hinge.quaternion', times, [0, 20, -15, 0].flatMap(turned)),
  new NumberKeyframeTrack('slab.morphTargetInfluences[0]', times, [0, 1, 0.25, 0]),
]);
const rise = new AnimationClip('rise', 0.5, [
  new VectorKeyframeTrack('root.position', [0, 0.5], [0, 0, 0, 0, 0.5, 0]),
]);
const bytes = await new GLTFExporter().parseAsync(scene, {binary: true, animations: [walk, rise]});
writeFileSync(process.argv[3], Buffer.from(bytes));
