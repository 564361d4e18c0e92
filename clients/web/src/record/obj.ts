// Wavefront OBJ, as clients/record/obj.c writes it: a mesh with normals, and with uvs and materials if it has them.
// Bodies without triangles give lines, and points alone stay points.
import type {TakenObject} from './objects.js';
import type {Job} from './job.js';
import {digits, type Out} from './sink.js';
import type {Material} from './take.js';
import type {Zip} from './zip.js';

// A blank or the end of the line would end a name.
const plainName = (name: string) => name.replace(/[\x00-\x20\x7f]/g, '_');
const materialName = (object: TakenObject, material: Material) => `${plainName(object.name)}/${plainName(material.name)}`;

// Index of the first item of the next object, from 1.
interface Firsts {
  point: number;
  uv: number;
  normal: number;
}

function lines(values: Float32Array, word: string, size: number, precision = 9): string {
  let text = '';
  for (let i = 0; i < values.length; i += size) {
    text += word;
    for (let k = i; k < i + size; k++) {
      text += ` ${digits(values[k], precision)}`;
    }
    text += '\n';
  }
  return text;
}

function faces(object: TakenObject, first: Firsts, materials: boolean): string {
  const {parts, corners, vertexPoint, vertexNormal, uvs} = object;
  let text = '';
  for (const {material, first: from, count} of parts) {
    text += materials ? `usemtl ${materialName(object, material)}\n` : '';
    for (let k = 3 * from; k < 3 * (from + count); k++) {
      const vertex = corners[k];
      const uv = uvs ? vertex + first.uv : '';
      text += `${k % 3 === 0 ? 'f ' : ' '}${vertexPoint[vertex] + first.point}/${uv}/${vertexNormal[vertex] + first.normal}`;
      text += k % 3 === 2 ? '\n' : '';
    }
  }
  return text;
}

async function writeObject(job: Job, out: Out, object: TakenObject, frame: Float32Array, first: Firsts): Promise<void> {
  const {pointCount, normalCount, uvs, edges, triangles} = object;
  job.place(object, frame);
  await out.say(`o ${plainName(object.name)}\n${lines(job.points.subarray(0, 3 * pointCount), 'v', 3)}`);
  await out.say(uvs ? lines(uvs, 'vt', 2) : '');
  await out.say(lines(job.normals.subarray(0, 3 * normalCount), 'vn', 3, 6));
  await out.say(faces(object, first, job.hasMaterials));
  let rest = '';
  for (let e = 0; e < edges.length; e += 2) {
    rest += `l ${edges[e] + first.point} ${edges[e + 1] + first.point}\n`;
  }
  for (let i = 0; triangles.length === 0 && edges.length === 0 && i < pointCount; i++) {
    rest += `p ${i + first.point}\n`;
  }
  await out.say(rest);
  first.point += pointCount;
  first.uv += uvs ? uvs.length / 2 : 0;
  first.normal += normalCount;
}

/** The frame as OBJ; only one of the objects if `only` is given. */
export async function writeObj(job: Job, out: Out, tick: number, frame: Float32Array, only?: TakenObject): Promise<void> {
  await out.say(`# weft, tick ${tick}; m, y up\n${job.hasMaterials ? `mtllib ${job.stem}.mtl\n` : ''}`);
  const first = {point: 1, uv: 1, normal: 1};
  for (const object of only ? [only] : job.objects) {
    await writeObject(job, out, object, frame, first);
  }
}

// Colours in the file are for screens; ours are linear.
const screen = (linear: number) => (linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055);

/** The materials, beside the meshes that name them, if materials came with a body. */
export async function writeMtl(job: Job, zip: Zip): Promise<void> {
  if (!job.hasMaterials) {
    return;
  }
  await zip.entry(`${job.stem}.mtl`, async (out) => {
    for (const object of job.objects) {
      for (const {material} of object.parts) {
        const {color, metallic, roughness} = material;
        const kd = color.slice(0, 3).map((value) => digits(screen(value), 6)).join(' ');
        await out.say(`newmtl ${materialName(object, material)}\nKd ${kd}\nd ${digits(color[3], 6)}\n`);
        await out.say(`Pm ${digits(metallic, 6)}\nPr ${digits(roughness, 6)}\n`);
      }
    }
  });
}

/** A mesh a frame: NAME_000001.obj and so on. */
export async function writeObjs(job: Job, zip: Zip): Promise<void> {
  await writeMtl(job, zip);
  for (let i = 0; i < job.take.count; i++) {
    const frame = await job.read(i);
    const name = `${job.stem}_${String(i + 1).padStart(6, '0')}.obj`;
    await zip.entry(name, (out) => writeObj(job, out, job.take.ticks[i], frame));
  }
}
