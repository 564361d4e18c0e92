// Point caches: the points of one object in each frame, and beside each an OBJ file with the topology, which has the
// same vertices in the same order. An object that never moves has only that file.
//
//     "POINTCACHE2\0" | i32 1 | i32 points | f32 first frame | f32 frames a sample | i32 samples | f32 x y z …
import {pointsOf} from './objects.js';
import type {Job} from './job.js';
import {writeMtl, writeObj} from './obj.js';
import type {Zip} from './zip.js';

export async function writePc2(job: Job, zip: Zip): Promise<void> {
  const {take, objects, stem} = job;
  for (let o = 0; o < objects.length; o++) {
    const object = objects[o];
    if (object.isCollider && !object.moves) {
      continue;
    }
    await zip.entry(`${stem}${job.suffix(o)}.pc2`, async (out) => {
      await out.put(new TextEncoder().encode('POINTCACHE2\0'));
      await out.put(Int32Array.of(1, object.pointCount));
      await out.put(Float32Array.of(0, 1));
      await out.put(Int32Array.of(take.count));
      for (let i = 0; i < take.count; i++) {
        pointsOf(object, await job.read(i), job.points);
        await out.put(job.points.subarray(0, 3 * object.pointCount));
      }
    });
  }
  const frame = await take.read(0);
  await writeMtl(job, zip);
  for (let o = 0; o < objects.length; o++) {
    await zip.entry(`${stem}${job.suffix(o)}.obj`, (out) => writeObj(job, out, take.ticks[0], frame, objects[o]));
  }
}
