// Recordings: the motion of a world as files of other programs. The formats are those of `weft record`, number for
// number; what is several files there is one zip here.
//
//     frames ─▶ Take ─▶ writeTake ─▶ glTF, USD, PC2, OBJ, NPZ          pictures ─▶ Webm
import {writePc2} from './caches.js';
import {writeGlb} from './gltf.js';
import {Job, type Pace, type Tell} from './job.js';
import {writeNpz} from './npz.js';
import {writeObjs} from './obj.js';
import type {TakenObject} from './objects.js';
import {Out, type Sink} from './sink.js';
import type {Take} from './take.js';
import {writeUsda} from './usd.js';
import {Zip} from './zip.js';

export type {Pace, Tell} from './job.js';
export {facetedShape, fieldMesh, boxShape, joinedShape, roundShape} from './shapes.js';
export {Parts, type Sink} from './sink.js';
export {floatsOf, POSE, Take, type Look, type Material, type Shape, type TakenBody, type TakenCollider, type TakenScene, type Torn} from './take.js';
export {Webm, type Block} from './webm.js';

export type Format = 'glb' | 'usda' | 'pc2' | 'obj' | 'npz';

interface Way {
  readonly zips: boolean;
  // How often each frame is read.
  readonly passes: (objects: readonly TakenObject[]) => number;
  // Bytes for each number of a position and frame, about.
  readonly bytes: number;
}

const cached = (objects: readonly TakenObject[]) => objects.filter(({isCollider, moves}) => !isCollider || moves).length;

const WAYS: Record<Format, Way> = {
  glb: {zips: false, passes: () => 2, bytes: 8},
  usda: {zips: false, passes: (objects) => objects.filter(({isCollider}) => !isCollider).length * 2, bytes: 25},
  pc2: {zips: true, passes: cached, bytes: 4},
  obj: {zips: true, passes: () => 1, bytes: 25},
  npz: {zips: true, passes: (objects) => objects.length, bytes: 4},
};

/** The end of the name of the file. */
export const ENDS: Record<Format, string> = {glb: 'glb', usda: 'usda', pc2: 'pc2.zip', obj: 'obj.zip', npz: 'npz'};

/** Bytes of a file of so many frames of so many numbers, about. */
export function estimate(format: Format, frames: number, numbers: number): number {
  const weights = format === 'glb' ? 4 * frames * frames : 0;
  return 4096 + frames * numbers * WAYS[format].bytes + weights;
}

export async function writeTake(take: Take, format: Format, stem: string, pace: Pace, sink: Sink, tell: Tell): Promise<void> {
  const {zips, passes} = WAYS[format];
  const job = await Job.begin(take, stem, pace, tell, passes);
  const out = new Out(sink);
  if (zips) {
    const zip = new Zip(out);
    await {pc2: writePc2, obj: writeObjs, npz: writeNpz}[format as 'pc2' | 'obj' | 'npz'](job, zip);
    await zip.end();
  } else {
    await {glb: writeGlb, usda: writeUsda}[format as 'glb' | 'usda'](job, out);
  }
  await out.settle();
}
