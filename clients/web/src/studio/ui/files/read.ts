// A mesh out of a file that somebody dropped. OBJ, TetGen and Gmsh are read by the code that `weft` reads them with; PLY
// here, STL and glTF by three.js' loaders, because `weft` has assimp for those three. Each reader is fetched when it is
// needed first. What cannot be read is said in words.
import type {BufferGeometry, Object3D} from 'three';

import {Files, type Soup, type Tell, type Welded} from '../../../files/index.js';
import {FORMATS, TET_FORMATS} from './formats.js';
import type {FileMaterial} from './colours.js';
import {shapesAlone, type PrimitiveMarks} from './gltf.js';
import type {Poses} from './pose.js';
import {skinOf} from './skin.js';
import {sentence} from './words.js';

export interface FileMesh extends Omit<Welded, 'tets'> {
  // Of a file of tetrahedra; its triangles are then their outer faces. Absent: none.
  readonly tets?: Uint32Array;
  // Of the file, without its ending.
  readonly name: string;
  readonly format: string;
  // Vertices that the file had.
  readonly vertices: number;
  // The materials of the file; `paint` says which triangle has which material.
  readonly colours?: FileColours;
}

export interface FileColours {
  readonly materials: readonly Omit<FileMaterial, 'place'>[];
  // Files that the server takes.
  readonly images: readonly Uint8Array[];
}

const BYTES_MAX = 256 * 1024 * 1024;

function isMeshFile(file: File): boolean {
  return (FORMATS as readonly string[]).includes(formatOf(file));
}

function formatOf(file: File): string {
  return file.name.slice(file.name.lastIndexOf('.') + 1).toLowerCase();
}

// The first mesh among the files; the others may be what it refers to. Throws an Error for people.
export async function readFiles(
  module: WebAssembly.Module,
  files: readonly File[],
  tell: Tell = () => undefined,
): Promise<FileMesh> {
  const solid = files.find((file) => (TET_FORMATS as readonly string[]).includes(formatOf(file)));
  if (solid) return readTets(module, solid, files, tell);
  const file = files.find(isMeshFile);
  if (!file) {
    throw new Error(
      `${files[0]?.name ?? 'This'} is not a supported mesh file. OBJ, PLY, STL, glTF, GLB, TetGen and Gmsh can be read.`,
    );
  }
  if (file.size > BYTES_MAX) throw new Error(`${file.name} is larger than 256 MiB.`);
  const format = formatOf(file);
  const bytes = await bytesOf(file, (share) => tell('Reading', share));
  tell('Reading the mesh', null);
  const find = (name: string) => files.find((other) => other.name === name)?.arrayBuffer();
  const read = new Files(module, tell);
  let colours: FileColours | void;
  try {
    colours = await readers[format as (typeof FORMATS)[number]](read, bytes, find, tell);
  } catch (error) {
    throw new Error(`${file.name} could not be read. ${reason(error)}`);
  }
  const mesh = welded(read, file.name, file.name.slice(0, -format.length - 1), format, tell);
  return colours ? {...mesh, colours} : mesh;
}

function welded(read: Files, fileName: string, name: string, format: string, tell: Tell): FileMesh {
  tell('Welding', null);
  const {tets, ...mesh} = read.weld();
  const vertices = mesh.positions.length / 3 + mesh.merged + mesh.unused;
  if (mesh.positions.length === 0)
    throw new Error(vertices === 0 ? `${fileName} has no vertices.` : `${fileName}: welding leaves nothing of it.`);
  const about = {...mesh, name, format, vertices};
  return tets.length > 0 ? {...about, tets, triangles: skinOf(tets)} : about;
}

async function bytesOf(file: File, tell: (share: number) => void): Promise<ArrayBuffer> {
  const bytes = new Uint8Array(file.size);
  const reader = file.stream().getReader();
  let at = 0;
  for (;;) {
    const {done, value} = await reader.read();
    if (done) return bytes.buffer;
    bytes.set(value, at);
    at += value.length;
    tell(at / file.size);
  }
}

// TetGen has two files, of which either may be named first.
async function readTets(
  module: WebAssembly.Module,
  file: File,
  files: readonly File[],
  tell: Tell,
): Promise<FileMesh> {
  if (file.size > BYTES_MAX) throw new Error(`${file.name} is larger than 256 MiB.`);
  const format = formatOf(file);
  const [nodes, eles] = ['node', 'ele'].map((ending) => files.find((other) => formatOf(other) === ending));
  if (format !== 'msh' && !(nodes && eles))
    throw new Error(`${file.name} is only half of a mesh: choose or drop its .node and .ele files together.`);
  const bytes = async (one: File) => new Uint8Array(await bytesOf(one, (share) => tell('Reading', share)));
  const read = new Files(module, tell);
  try {
    if (nodes && eles && format !== 'msh') {
      const parts = [await bytes(nodes), await bytes(eles)] as const;
      tell('Reading the mesh', null);
      read.tetgen('.node', parts[0], '.ele', parts[1]);
    } else {
      const part = await bytes(file);
      tell('Reading the mesh', null);
      read.gmsh('', part);
    }
  } catch (error) {
    const words = error instanceof Error ? error.message : '';
    const wrong = words.startsWith('.ele') ? eles : words.startsWith('.node') ? nodes : file;
    throw new Error(`${(wrong ?? file).name} could not be read. ${sentence(error, /^\.\w+/.exec(words)?.[0])}`);
  }
  return welded(read, file.name, file.name.slice(0, file.name.lastIndexOf('.')), format, tell);
}

// In words for people. A loader that runs into what it did not expect throws the engine's own errors.
function reason(error: unknown): string {
  const own = error instanceof Error && error.constructor === Error && error.message !== '';
  return own ? sentence(error) : 'It is damaged or incomplete.';
}

type Reader = (
  read: Files,
  bytes: ArrayBuffer,
  find: (name: string) => Promise<ArrayBuffer> | undefined,
  tell: Tell,
) => Promise<FileColours | void>;

const readGltf: Reader = async (read, bytes, find) => {
  const shapes = await shapesAlone(bytes, find);
  const [{GLTFLoader}, {posesOf}] = await Promise.all([
    import('three/examples/jsm/loaders/GLTFLoader.js'),
    import('./pose.js'),
  ]);
  const gltf = await new GLTFLoader().parseAsync(shapes.bytes, '');
  if (!gltf.scene) throw new Error('It has no scene.');
  read.soup(soupOfScene(gltf.scene, await posesOf(gltf, shapes.skins), shapes.materials));
  if (shapes.materials.length === 0) return undefined;
  const {fittingImages} = await import('./images.js');
  const fitting = await fittingImages(shapes.images);
  const images = fitting.filter((bytes) => bytes !== null);
  const numbers = fitting.map((bytes) => (bytes ? images.indexOf(bytes) : -1));
  const materials = shapes.materials.map(({place: _, image, ...material}) => {
    const number = image === undefined ? -1 : (numbers[image] ?? -1);
    return number < 0 ? material : {...material, image: number};
  });
  return {materials, images};
};

const readers: Record<(typeof FORMATS)[number], Reader> = {
  async obj(read, bytes) {
    read.obj('', new Uint8Array(bytes));
  },
  async ply(read, bytes, _find, tell) {
    const {readPly} = await import('./ply.js');
    read.soup(readPly(bytes, (share) => tell('Reading the mesh', share)));
  },
  async stl(read, bytes) {
    const {STLLoader} = await import('three/examples/jsm/loaders/STLLoader.js');
    read.soup(await soupOfGeometry(new STLLoader().parse(bytes)));
  },
  glb: readGltf,
  gltf: readGltf,
};

async function soupOfGeometry(geometry: BufferGeometry): Promise<Soup> {
  const {Mesh} = await import('three');
  return soupOfScene(new Mesh(geometry));
}

interface Drawn {
  readonly geometry?: BufferGeometry;
  readonly isMesh?: boolean;
  readonly isLineSegments?: boolean;
  readonly isLine?: boolean;
  readonly isLineLoop?: boolean;
}

// All the meshes, lines and points of a scene, where they stand in it or their joints put them, one after the other.
export function soupOfScene(
  scene: Object3D,
  poses: Poses = () => null,
  materials: readonly Pick<FileMaterial, 'place'>[] = [],
): Soup {
  scene.updateMatrixWorld(true);
  const parts: {object: Object3D & Drawn; geometry: BufferGeometry; corners: number}[] = [];
  scene.traverse((object: Object3D & Drawn) => {
    const {geometry} = object;
    const place = geometry?.getAttribute('position');
    if (geometry && place) parts.push({object, geometry, corners: geometry.index?.count ?? place.count});
  });
  const sum = (of: (part: (typeof parts)[number]) => number) => parts.reduce((all, part) => all + of(part), 0);
  const positions = new Float64Array(sum(({geometry}) => 3 * geometry.getAttribute('position').count));
  const triangles = new Uint32Array(
    sum(({object, corners}) => (object.isMesh ? corners - (corners % 3) : 0)),
  );
  const lines = new Uint32Array(sum(({object, corners}) => (object.isLine ? 2 * linesOf(object, corners) : 0)));
  // Triangles without a material have the one behind the last.
  const coloured = materials.length > 0;
  const mapped = coloured && parts.some(({object, geometry}) => object.isMesh && geometry.getAttribute('uv'));
  const paint = {
    uvs: new Float32Array(mapped ? 2 * triangles.length : 0),
    materials: new Uint32Array(coloured ? triangles.length / 3 : 0),
  };
  let [first, triangle, line] = [0, 0, 0];
  for (const {object, geometry, corners} of parts) {
    const place = geometry.getAttribute('position');
    const pose = poses(object);
    for (let i = 0; i < place.count; ++i) {
      const m = pose ? pose(i) : object.matrixWorld.elements;
      const [x, y, z] = [place.getX(i), place.getY(i), place.getZ(i)];
      for (let row = 0; row < 3; ++row)
        positions[3 * (first + i) + row] =
          (m[row] ?? 0) * x + (m[4 + row] ?? 0) * y + (m[8 + row] ?? 0) * z + (m[12 + row] ?? 0);
    }
    const corner = (i: number) => first + (geometry.index ? geometry.index.getX(i) : i);
    if (object.isMesh) {
      const {material = materials.length} = geometry.userData as PrimitiveMarks;
      const uv = geometry.getAttribute('uv');
      for (let i = 0; i < corners - (corners % 3); ++i, ++triangle) {
        triangles[triangle] = corner(i);
        if (coloured) paint.materials[Math.floor(triangle / 3)] = Math.min(material, materials.length);
        if (!mapped || !uv) continue;
        const at = corner(i) - first;
        const [u, v] = [uv.getX(at), uv.getY(at)];
        const [s, t] = materials[material]?.place(u, v) ?? [u, v];
        paint.uvs.set([s, 1 - t], 2 * triangle);
      }
    } else if (object.isLine) {
      const step = object.isLineSegments ? 2 : 1;
      for (let i = 0; i < linesOf(object, corners); ++i) {
        lines[line++] = corner(step * i);
        lines[line++] = corner((step * i + 1) % corners);
      }
    }
    first += place.count;
  }
  return {positions, triangles, lines, ...(coloured ? {paint} : {})};
}

function linesOf(object: Drawn, corners: number): number {
  if (object.isLineSegments) return Math.floor(corners / 2);
  return Math.max(0, corners - (object.isLineLoop && corners > 2 ? 0 : 1));
}
