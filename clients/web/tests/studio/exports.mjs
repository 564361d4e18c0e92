// Exports of the page, as they are asked for and as other programs read them: glTF by three.js, .npz by fflate.
import assert from 'node:assert/strict';
import {writeFileSync} from 'node:fs';
import {unzipSync} from 'three/examples/jsm/libs/fflate.module.js';
import {GLTFLoader} from 'three/examples/jsm/loaders/GLTFLoader.js';
import {AnimationMixer, Vector3} from 'three';

import {fill} from './rig.mjs';

const NUMPY = {'<f4': Float32Array, '<f8': Float64Array, '<u4': Uint32Array, '<u8': BigUint64Array};

export async function opened(page) {
  await page.keyboard.press('Control+e');
  const dialog = page.getByRole('dialog', {name: 'Export'});
  await dialog.waitFor();
  return dialog;
}

export async function chosen(dialog, file, {first, last, every}) {
  await dialog.getByRole('combobox', {name: 'File'}).selectOption(file);
  for (const [name, value] of Object.entries({'First tick': first, 'Last tick': last, 'One frame every': every}))
    await fill(dialog.getByRole('textbox', {name}), String(value));
}

// The file that `ask` makes the page save.
export async function saved(page, ask) {
  const [download] = await Promise.all([page.waitForEvent('download'), ask()]);
  const chunks = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk);
  const name = download.suggestedFilename();
  const bytes = Buffer.concat(chunks);
  if (process.env.SHOTS) writeFileSync(`${process.env.SHOTS}/${name}`, bytes);
  return {name, bytes};
}

export const exported = (page, dialog) =>
  saved(page, () => dialog.getByRole('button', {name: 'Export', exact: true}).click());

// The arrays of an .npz by name: {shape, values}.
export function readNpz(bytes) {
  const arrays = {};
  for (const [entry, npy] of Object.entries(unzipSync(new Uint8Array(bytes)))) {
    const head = 10 + Buffer.from(npy).readUInt16LE(8);
    const told = Buffer.from(npy.subarray(10, head)).toString('latin1');
    const [, type, shape] = /'descr': '([^']+)'.*'shape': \(([^)]*)\)/.exec(told);
    arrays[entry.replace(/\.npy$/, '')] = {
      shape: shape.split(',').filter((text) => text.trim() !== '').map(Number),
      values: new NUMPY[type](npy.slice(head).buffer),
    };
  }
  return arrays;
}

// The vertices of the mesh of that name in a .glb, as its animation has them at its end: [x, y, z] each.
export async function lastFrameOf(bytes, name) {
  const {scene, animations} = await new GLTFLoader().parseAsync(Uint8Array.from(bytes).buffer, '');
  assert.equal(animations.length, 1);
  const mixer = new AnimationMixer(scene);
  mixer.clipAction(animations[0]).play();
  // At its end the animation begins again.
  mixer.setTime(animations[0].duration - 1e-6);
  scene.updateMatrixWorld(true);
  const mesh = scene.getObjectByName(name);
  return Array.from({length: mesh.geometry.attributes.position.count}, (_, i) =>
    mesh.localToWorld(mesh.getVertexPosition(i, new Vector3())).toArray(),
  );
}
