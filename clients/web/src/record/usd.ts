// USD as text (.usda), as clients/record/usd.c writes it: meshes whose points and normals have a sample for each frame,
// curves for edges, points for the rest, and colliders as meshes that are moved as wholes.
//
// A time code is a tick, counted from the first frame.
import {isSurface, normalsOf, pointsOf, type TakenObject} from './objects.js';
import type {Job} from './job.js';
import {digits, type Out} from './sink.js';
import {POSE, type Material} from './take.js';

const NAME_MOST = 147;

// A name of a prim has letters, digits and _ alone, and no digit in front. Gives each another.
function primNames(names: readonly string[], taken: string[] = []): string[] {
  const used = new Set(taken);
  return names.map((name) => {
    const plain = `${/^[A-Za-z_]/.test(name) ? '' : '_'}${name.slice(0, NAME_MOST)}`.replace(/[^A-Za-z0-9_]/g, '_');
    let prim = plain;
    for (let number = 2; used.has(prim); number++) {
      prim = `${plain}_${number}`;
    }
    used.add(prim);
    return prim;
  });
}

const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&').replace(/[\x00-\x1f]/g, ' ')}"`;

function vectors(values: ArrayLike<number>, size: number, order?: ArrayLike<number>): string {
  const items: string[] = [];
  const count = order?.length ?? values.length / size;
  for (let i = 0; i < count; i++) {
    const at = size * (order ? order[i] : i);
    const numbers = [];
    for (let k = at; k < at + size; k++) {
      numbers.push(digits(values[k]));
    }
    items.push(`(${numbers.join(', ')})`);
  }
  return `[${items.join(', ')}]`;
}

const integers = (values: ArrayLike<number>) => `[${Array.from(values).join(', ')}]`;

class Writer {
  private readonly prims: string[];
  private readonly materials: Material[];
  private readonly materialPrims: string[];

  constructor(
    private readonly job: Job,
    private readonly out: Out,
  ) {
    const {objects} = job;
    this.materials = [...new Set(objects.flatMap(({parts}) => parts.map(({material}) => material)))];
    this.prims = primNames(objects.map(({name}) => name), ['materials']);
    this.materialPrims = primNames(this.materials.map(({name}) => name));
  }

  async write(): Promise<void> {
    const {take, pace, objects} = this.job;
    const last = this.code(take.count - 1);
    // With another frame rate than that of the world as many time codes pass in a second as that takes.
    const rate = digits(pace.frameRate * pace.every, 10);
    await this.out.say(
      `#usda 1.0\n(\n    defaultPrim = "world"\n    doc = "weft"\n    startTimeCode = 0\n    endTimeCode = ${last}\n` +
        `    timeCodesPerSecond = ${rate}\n    framesPerSecond = ${rate}\n    metersPerUnit = 1\n    upAxis = "Y"\n)\n\n` +
        'def Xform "world"\n{\n',
    );
    for (let o = 0; o < objects.length; o++) {
      await this.object(o);
    }
    await this.out.say(`    def Scope "materials"\n    {\n${this.materials.map((_, m) => this.material(m)).join('')}    }\n}\n`);
  }

  private code(index: number): string {
    const {ticks} = this.job.take;
    return String(ticks[index] - ticks[0]);
  }

  private material(m: number): string {
    const {color, metallic, roughness} = this.materials[m];
    const name = this.materialPrims[m];
    return (
      `        def Material "${name}"\n        {\n` +
      `            token outputs:surface.connect = </world/materials/${name}/surface.outputs:surface>\n` +
      '            def Shader "surface"\n            {\n' +
      '                uniform token info:id = "UsdPreviewSurface"\n' +
      `                color3f inputs:diffuseColor = (${color.slice(0, 3).map((value) => digits(value)).join(', ')})\n` +
      `                float inputs:opacity = ${digits(color[3])}\n` +
      `                float inputs:metallic = ${digits(metallic)}\n` +
      `                float inputs:roughness = ${digits(roughness)}\n` +
      '                token outputs:surface\n            }\n        }\n'
    );
  }

  private binding(material: Material, indent: string): string {
    return `${indent}rel material:binding = </world/materials/${this.materialPrims[this.materials.indexOf(material)]}>\n`;
  }

  private async object(o: number): Promise<void> {
    const object = this.job.objects[o];
    const surface = isSurface(object);
    const type = surface ? 'Mesh' : object.edges.length > 0 ? 'BasisCurves' : 'Points';
    const api = surface ? '\n        prepend apiSchemas = ["MaterialBindingAPI"]' : '';
    await this.out.say(`    def ${type} "${this.prims[o]}" (\n        displayName = ${quoted(object.name)}${api}\n    )\n    {\n`);
    if (surface) {
      await this.out.say(topology(object));
    }
    if (object.isCollider) {
      await this.collider(object);
    } else {
      await this.points(object);
      if (surface) {
        await this.normals(object);
      }
    }
    const widths = '        float[] widths = [0.01] (\n            interpolation = "constant"\n        )\n';
    const curves =
      object.edges.length > 0
        ? `        uniform token type = "linear"\n        int[] curveVertexCounts = ${integers(new Array(object.edges.length / 2).fill(2))}\n`
        : '';
    await this.out.say(`${surface ? this.parts(object) : curves + widths}    }\n`);
  }

  private parts(object: TakenObject): string {
    if (object.parts.length === 1) {
      return this.binding(object.parts[0].material, '        ');
    }
    const subsets = object.parts.map(
      ({material, first, count}, p) =>
        `        def GeomSubset "part_${p + 1}" (\n            prepend apiSchemas = ["MaterialBindingAPI"]\n        )\n        {\n` +
        '            uniform token elementType = "face"\n            uniform token familyName = "materialBind"\n' +
        `            int[] indices = ${integers(Array.from({length: count}, (_, t) => first + t))}\n` +
        `${this.binding(material, '            ')}        }\n`,
    );
    return `        uniform token subsetFamily:materialBind:familyType = "partition"\n${subsets.join('')}`;
  }

  // Curves list their points, two an edge.
  private async points(object: TakenObject): Promise<void> {
    const {job, out} = this;
    const boxes: string[] = [];
    await out.say('        point3f[] points.timeSamples = {\n');
    for (let i = 0; i < job.take.count; i++) {
      pointsOf(object, await job.read(i), job.points);
      const points = job.points.subarray(0, 3 * object.pointCount);
      boxes.push(extentOf(points));
      await out.say(`            ${this.code(i)}: ${vectors(points, 3, object.edges.length > 0 ? object.edges : undefined)},\n`);
    }
    await out.say('        }\n        float3[] extent.timeSamples = {\n');
    for (let i = 0; i < boxes.length; i++) {
      await out.say(`            ${this.code(i)}: ${boxes[i]},\n`);
    }
    await out.say('        }\n');
  }

  // One a point, or one a corner where points have several.
  private async normals(object: TakenObject): Promise<void> {
    const {job, out} = this;
    const {corners, vertexNormal, normalCount, pointCount} = object;
    const byCorner = normalCount !== pointCount;
    const order = byCorner ? corners.map((vertex) => vertexNormal[vertex]) : undefined;
    await out.say(
      `        normal3f[] normals (\n            interpolation = "${byCorner ? 'faceVarying' : 'vertex'}"\n        )\n` +
        '        normal3f[] normals.timeSamples = {\n',
    );
    for (let i = 0; i < job.take.count; i++) {
      const frame = await job.read(i);
      pointsOf(object, frame, job.points);
      normalsOf(object, frame, job.points, job.normals);
      await out.say(`            ${this.code(i)}: ${vectors(job.normals.subarray(0, 3 * normalCount), 3, order)},\n`);
    }
    await out.say('        }\n');
  }

  private async collider(object: TakenObject): Promise<void> {
    const {points, normals} = object.shape!;
    await this.out.say(
      `        point3f[] points = ${vectors(points, 3)}\n        normal3f[] normals = ${vectors(normals, 3)} (\n` +
        `            interpolation = "vertex"\n        )\n        float3[] extent = ${extentOf(points)}\n`,
    );
    for (const [name, order] of [
      ['double3 xformOp:translate', [0, 1, 2]],
      ['quatf xformOp:orient', [6, 3, 4, 5]],
    ] as const) {
      await this.out.say(object.moves ? `        ${name}.timeSamples = {\n` : `        ${name} = `);
      for (let i = 0; i < (object.moves ? this.job.take.count : 1); i++) {
        const pose = (await this.job.take.read(i)).subarray(object.at, object.at + POSE);
        const value = `(${order.map((k) => digits(pose[k])).join(', ')})`;
        await this.out.say(object.moves ? `            ${this.code(i)}: ${value},\n` : `${value}\n`);
      }
      await this.out.say(object.moves ? '        }\n' : '');
    }
    await this.out.say('        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]\n');
  }
}

function extentOf(points: Float32Array): string {
  const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (let i = 0; i < points.length; i++) {
    box[i % 3] = Math.min(box[i % 3], points[i]);
    box[3 + (i % 3)] = Math.max(box[3 + (i % 3)], points[i]);
  }
  return vectors(box, 3);
}

function topology({triangles, uvs, corners}: TakenObject): string {
  const st = uvs
    ? `        texCoord2f[] primvars:st = ${vectors(uvs, 2)} (\n            interpolation = "faceVarying"\n        )\n` +
      `        int[] primvars:st:indices = ${integers(corners)}\n`
    : '';
  return (
    '        uniform token subdivisionScheme = "none"\n        uniform bool doubleSided = 1\n' +
    `        int[] faceVertexCounts = ${integers(new Array(triangles.length / 3).fill(3))}\n` +
    `        int[] faceVertexIndices = ${integers(triangles)}\n${st}`
  );
}

export const writeUsda = (job: Job, out: Out): Promise<void> => new Writer(job, out).write();
