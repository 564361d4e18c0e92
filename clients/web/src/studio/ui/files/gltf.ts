// Shapes out of a glTF file, with the colours of its materials and nothing else of it.
//
// Materials, images, animations and everything that three.js' loader would fetch are taken out before it sees the
// file, and its buffers become one that lies in memory: so the page asks nobody for anything, which its
// Content-Security-Policy would forbid in any case. Joints and their weights are renamed, for three.js keeps four of a
// vertex at most; what they do is done in pose.ts.

import {coloursOf, uvSetOf, type FileMaterial, type GltfMaterial, type GltfTexture} from './colours.js';

interface Buffer {
  uri?: string;
  byteLength: number;
}

interface BufferView {
  buffer: number;
  byteOffset?: number;
  byteLength: number;
}

interface Primitive {
  attributes: Record<string, number>;
  material?: number;
  targets?: unknown;
  extras?: PrimitiveMarks;
  extensions?: Record<string, unknown>;
}

export interface Skin {
  // Nodes.
  readonly joints: readonly number[];
  // An accessor; absent: identity.
  readonly inverseBindMatrices?: number;
}

// What is left of a node's extras: its number, and the skin of its mesh. three.js keeps them as userData.
export interface Marks {
  readonly node?: number;
  readonly skin?: number;
}

// The part of a primitive's extras that is left. three.js keeps them as userData of its geometry.
export interface PrimitiveMarks {
  readonly material?: number;
}

interface Gltf {
  asset?: {version?: string};
  buffers?: Buffer[];
  bufferViews?: BufferView[];
  meshes?: {primitives: Primitive[]; weights?: unknown; extras?: unknown}[];
  nodes?: Record<string, unknown>[];
  skins?: Skin[];
  extensionsUsed?: string[];
  extensionsRequired?: string[];
  materials?: GltfMaterial[];
  textures?: GltfTexture[];
  images?: {uri?: string; bufferView?: number}[];
  [key: string]: unknown;
}

const MAGIC = 0x46546c67; // "glTF"
const JSON_CHUNK = 0x4e4f534a;
const BIN_CHUNK = 0x004e4942;
// What changes how vertices are stored and the loader cannot do by itself.
const COMPRESSED = ['KHR_draco_mesh_compression', 'EXT_meshopt_compression', 'KHR_meshopt_compression'];
const FITTING = ['KHR_mesh_quantization'];

export type FindFile = (name: string) => Promise<ArrayBuffer> | undefined;

export interface Shapes {
  // A binary glTF.
  readonly bytes: ArrayBuffer;
  readonly skins: readonly Skin[];
  // By the number that a primitive's marks have.
  readonly materials: readonly FileMaterial[];
  // Files of images, in any format.
  readonly images: readonly Uint8Array[];
}

// Throws what is wrong, for people.
export async function shapesAlone(bytes: ArrayBuffer, find: FindFile): Promise<Shapes> {
  const {gltf, binary} = isBinary(bytes)
    ? takeApart(bytes)
    : {gltf: parse(new Uint8Array(bytes)), binary: undefined};
  if (!gltf?.asset?.version?.startsWith('2')) throw new Error('Only glTF 2 can be read.');
  const compressed = [...(gltf.extensionsRequired ?? []), ...(gltf.extensionsUsed ?? [])].find((name) =>
    COMPRESSED.includes(name),
  );
  if (compressed)
    throw new Error(`Its shapes are compressed (${compressed}); export it without compression.`);

  const parts: Uint8Array[] = [];
  const starts: number[] = [];
  let length = 0;
  for (const [i, buffer] of (gltf.buffers ?? []).entries()) {
    const part = await bytesOf(buffer, i === 0 ? binary : undefined, find);
    if (part.byteLength < buffer.byteLength) throw new Error('A buffer is shorter than the file says.');
    starts.push(length);
    parts.push(part);
    length = (length + part.byteLength + 3) & ~3;
  }
  const all = new Uint8Array(length);
  parts.forEach((part, i) => all.set(part, starts[i]));
  for (const view of gltf.bufferViews ?? []) {
    view.byteOffset = (view.byteOffset ?? 0) + (starts[view.buffer] ?? 0);
    view.buffer = 0;
  }
  const {materials, images} = await coloursOf(gltf, all, (uri) => bytesOf({uri}, undefined, find));
  gltf.buffers = length > 0 ? [{byteLength: length}] : [];
  for (const mesh of gltf.meshes ?? []) {
    delete mesh.weights;
    delete mesh.extras;
    for (const primitive of mesh.primitives) {
      const {material} = primitive;
      primitive.attributes = placesOf(primitive.attributes, uvSetOf(gltf, material));
      primitive.extras = material === undefined ? {} : {material};
      delete primitive.material;
      delete primitive.targets;
      delete primitive.extensions;
    }
  }
  for (const [i, node] of (gltf.nodes ?? []).entries()) {
    const marks: Marks = {node: i, ...(typeof node['skin'] === 'number' ? {skin: node['skin']} : {})};
    node['extras'] = marks;
    for (const key of ['skin', 'camera', 'extensions', 'weights']) delete node[key];
  }
  const skins = gltf.skins ?? [];
  for (const key of [
    'materials',
    'textures',
    'images',
    'samplers',
    'skins',
    'animations',
    'cameras',
    'extensions',
  ])
    delete gltf[key];
  gltf.extensionsUsed = (gltf.extensionsUsed ?? []).filter((name) => FITTING.includes(name));
  gltf.extensionsRequired = gltf.extensionsUsed;
  return {bytes: together(gltf, all), skins, materials, images};
}

// The uvs that its texture goes by become the first ones.
function placesOf(attributes: Primitive['attributes'], uvSet: number): Primitive['attributes'] {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, accessor]) =>
      name === `TEXCOORD_${uvSet}`
        ? [['TEXCOORD_0', accessor]]
        : name === 'POSITION' ? [[name, accessor]] : /^(JOINTS|WEIGHTS)_\d$/.test(name) ? [[`_${name}`, accessor]] : [],
    ),
  );
}

function isBinary(bytes: ArrayBuffer): boolean {
  return bytes.byteLength >= 12 && new DataView(bytes).getUint32(0, true) === MAGIC;
}

function parse(bytes: Uint8Array): Gltf {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as Gltf;
  } catch {
    throw new Error('This is not glTF: its JSON cannot be read.');
  }
}

function takeApart(bytes: ArrayBuffer): {gltf: Gltf; binary: Uint8Array | undefined} {
  const view = new DataView(bytes);
  let gltf: Gltf | undefined;
  let binary: Uint8Array | undefined;
  for (let at = 12; at + 8 <= bytes.byteLength;) {
    const size = view.getUint32(at, true);
    const type = view.getUint32(at + 4, true);
    if (at + 8 + size > bytes.byteLength) throw new Error('The file ends too early.');
    const chunk = new Uint8Array(bytes, at + 8, size);
    if (type === JSON_CHUNK && !gltf) gltf = parse(chunk);
    else if (type === BIN_CHUNK && !binary) binary = chunk;
    at += 8 + size;
  }
  if (!gltf) throw new Error('This is not glTF: it has no JSON.');
  return {gltf, binary};
}

async function bytesOf(buffer: {uri?: string}, binary: Uint8Array | undefined, find: FindFile): Promise<Uint8Array> {
  if (buffer.uri === undefined) {
    if (!binary) throw new Error('A buffer is missing.');
    return binary;
  }
  const data = /^data:[^,]*?(;base64)?,(.*)$/s.exec(buffer.uri);
  if (data) {
    const text = data[1] ? atob(data[2] ?? '') : decodeURIComponent(data[2] ?? '');
    return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  }
  const name = decodeURIComponent(buffer.uri).split('/').pop() ?? '';
  const found = await find(name);
  if (!found) throw new Error(`It needs ${name}: drop both files together.`);
  return new Uint8Array(found);
}

function together(gltf: Gltf, binary: Uint8Array): ArrayBuffer {
  const json = new TextEncoder().encode(JSON.stringify(gltf));
  const jsonSize = (json.length + 3) & ~3;
  const total = 12 + 8 + jsonSize + (binary.length > 0 ? 8 + binary.length : 0);
  const out = new Uint8Array(total).fill(0x20, 20, 20 + jsonSize);
  const view = new DataView(out.buffer);
  [MAGIC, 2, total, jsonSize, JSON_CHUNK].forEach((word, i) => view.setUint32(4 * i, word, true));
  out.set(json, 20);
  if (binary.length > 0) {
    view.setUint32(20 + jsonSize, binary.length, true);
    view.setUint32(24 + jsonSize, BIN_CHUNK, true);
    out.set(binary, 28 + jsonSize);
  }
  return out.buffer;
}
