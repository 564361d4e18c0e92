// NumPy's .npz: a zip archive of .npy arrays, with the names that clients/record/npz.c gives them.
//
//     tick [frames] u64 · substep [frames] u32 · time [frames] f64, s
//     NAME/positions [frames, particles, 3] f32, m · NAME/triangles [n, 3] u32 · NAME/edges [n, 2] u32
//     NAME/uvs [n, 3, 2] f32 · NAME/materials [n] u32 · NAME/colors [materials, 4] f32, linear
//     NAME/rotations [frames, pieces, 4] f32 · NAME/vertices, NAME/triangles of one piece     (rigid bodies)
//     colliders/NAME/poses [frames, 7] f32: x, y, z, quaternion x, y, z, w · …/vertices [n, 3] · …/triangles [n, 3]
import type {Job} from './job.js';
import type {Out} from './sink.js';
import {POSE, type TakenBody} from './take.js';
import type {Zip} from './zip.js';

// "\x93NUMPY" 1 0 | u16 bytes of what follows, which ends with a newline at a multiple of 64
function headOf(type: string, shape: readonly number[]): Uint8Array {
  const text = `{'descr': '${type}', 'fortran_order': False, 'shape': (${shape.join(', ')}${shape.length === 1 ? ',' : ''}), }`;
  const padded = 64 * Math.ceil((10 + text.length + 1) / 64) - 10;
  const head = new Uint8Array(10 + padded).fill(32);
  head.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, padded & 255, padded >> 8]);
  head.set(new TextEncoder().encode(text), 10);
  head[head.length - 1] = 10;
  return head;
}

// A slash in the name of a thing would make a folder.
const entryName = (folder: string, name: string, array: string) => `${folder}${name.replace(/[/\\]/g, '_')}/${array}.npy`;

class Writer {
  constructor(
    private readonly job: Job,
    private readonly zip: Zip,
  ) {}

  async whole(name: string, type: string, shape: readonly number[], values: ArrayBufferView): Promise<void> {
    if (values.byteLength > 0) {
      await this.zip.entry(name, async (out) => {
        await out.put(headOf(type, shape));
        await out.put(values);
      });
    }
  }

  // `size` numbers of each frame from `at` on.
  async column(name: string, row: readonly number[], at: number, size: number): Promise<void> {
    const {take} = this.job;
    const write = async (out: Out) => {
      await out.put(headOf('<f4', [take.count, ...row]));
      for (let i = 0; i < take.count; i++) {
        await out.put((await this.job.read(i)).subarray(at, at + size));
      }
    };
    await this.zip.entry(name, write);
  }

  async body(body: TakenBody, at: number): Promise<void> {
    const {name, count, triangles, edges, look, piece} = body;
    const of = (array: string) => entryName('', name, array);
    await this.column(of('positions'), [count, 3], at, 3 * count);
    if (piece) {
      await this.column(of('rotations'), [count, 4], at + 3 * count, 4 * count);
      await this.whole(of('vertices'), '<f4', [piece.points.length / 3, 3], piece.points);
    }
    const corners = piece?.triangles ?? triangles;
    await this.whole(of('triangles'), '<u4', [corners.length / 3, 3], corners);
    await this.whole(of('edges'), '<u4', [edges.length / 2, 2], edges);
    if (look && !piece) {
      const colors = Float32Array.from(look.materials.flatMap(({color}) => [...color]));
      await this.whole(of('uvs'), '<f4', [triangles.length / 3, 3, 2], look.uvs ?? new Float32Array());
      await this.whole(of('materials'), '<u4', [triangles.length / 3], look.triangleMaterials ?? new Uint32Array());
      await this.whole(of('colors'), '<f4', [look.materials.length, 4], colors);
    }
  }

  async write(): Promise<void> {
    const {take, objects} = this.job;
    const {count, scene} = take;
    await this.whole('tick.npy', '<u8', [count], BigUint64Array.from(take.ticks, BigInt));
    await this.whole('substep.npy', '<u4', [count], new Uint32Array(count));
    await this.whole('time.npy', '<f8', [count], Float64Array.from({length: count}, (_, i) => take.time(i)));
    for (let b = 0; b < scene.bodies.length; b++) {
      await this.body(scene.bodies[b], objects[b].at);
    }
    for (const {name, at, shape} of objects.slice(scene.bodies.length)) {
      const of = (array: string) => entryName('colliders/', name, array);
      await this.column(of('poses'), [POSE], at, POSE);
      await this.whole(of('vertices'), '<f4', [shape!.points.length / 3, 3], shape!.points);
      await this.whole(of('triangles'), '<u4', [shape!.triangles.length / 3, 3], shape!.triangles);
    }
  }
}

export const writeNpz = (job: Job, zip: Zip): Promise<void> => new Writer(job, zip).write();
