// A mesh out of a file that somebody dropped: OBJ, PLY, STL, glTF. three.js' loaders read it; each is fetched when it
// is needed first. What cannot be read is said in words.
import type {BufferGeometry, Object3D} from 'three';

import {FORMATS} from './formats.js';
import {shapesAlone} from './gltf.js';
import {weld, type Soup, type Welded} from './weld.js';

export interface FileMesh extends Welded {
  // Of the file, without its ending.
  readonly name: string;
  readonly format: string;
  // Vertices that the file had.
  readonly vertices: number;
}

const BYTES_MAX = 256 * 1024 * 1024;

function isMeshFile(file: File): boolean {
  return (FORMATS as readonly string[]).includes(formatOf(file));
}

function formatOf(file: File): string {
  return file.name.slice(file.name.lastIndexOf('.') + 1).toLowerCase();
}

// The first mesh among the files; the others may be what it refers to. Throws an Error for people.
export async function readFiles(files: readonly File[]): Promise<FileMesh> {
  const file = files.find(isMeshFile);
  if (!file) {
    throw new Error(
      `${files[0]?.name ?? 'This'} is not a mesh that can be read: OBJ, PLY, STL, glTF and GLB can.`,
    );
  }
  if (file.size > BYTES_MAX) throw new Error(`${file.name} is larger than 256 MiB.`);
  const format = formatOf(file);
  const bytes = await file.arrayBuffer();
  const find = (name: string) => files.find((other) => other.name === name)?.arrayBuffer();
  let soup: Soup;
  try {
    soup = await readers[format as (typeof FORMATS)[number]](bytes, find);
  } catch (error) {
    throw new Error(`${file.name} could not be read. ${reason(error)}`);
  }
  if (soup.positions.length === 0) throw new Error(`${file.name} has no vertices.`);
  if (!soup.positions.every(Number.isFinite))
    throw new Error(
      `${file.name} could not be read. Some coordinates are not numbers, or a face names a vertex that is not there.`,
    );
  const name = file.name.slice(0, -format.length - 1);
  return {...weld(soup), name, format, vertices: soup.positions.length / 3};
}

// In words for people. A loader that runs into what it did not expect throws the engine's own errors.
function reason(error: unknown): string {
  const own = error instanceof Error && error.constructor === Error && error.message !== '';
  return own ? error.message : 'It is damaged, or cut off.';
}

type Reader = (bytes: ArrayBuffer, find: (name: string) => Promise<ArrayBuffer> | undefined) => Promise<Soup>;

const readGltf: Reader = async (bytes, find) => {
  const shapes = await shapesAlone(bytes, find);
  const {GLTFLoader} = await import('three/examples/jsm/loaders/GLTFLoader.js');
  const {scene} = await new GLTFLoader().parseAsync(shapes, '');
  if (!scene) throw new Error('It has no scene.');
  return soupOfScene(scene);
};

const readers: Record<(typeof FORMATS)[number], Reader> = {
  async obj(bytes) {
    const {OBJLoader} = await import('three/examples/jsm/loaders/OBJLoader.js');
    // Materials are of no use here, and their files are not at hand.
    const text = new TextDecoder().decode(bytes).replace(/^\s*(mtllib|usemtl)\b.*$/gm, '');
    return soupOfScene(new OBJLoader().parse(text));
  },
  async ply(bytes) {
    const {PLYLoader} = await import('three/examples/jsm/loaders/PLYLoader.js');
    if (!new TextDecoder().decode(bytes.slice(0, 3)).startsWith('ply'))
      throw new Error('It does not begin with “ply”.');
    return soupOfGeometry(new PLYLoader().parse(bytes), true);
  },
  async stl(bytes) {
    const {STLLoader} = await import('three/examples/jsm/loaders/STLLoader.js');
    return soupOfGeometry(new STLLoader().parse(bytes));
  },
  glb: readGltf,
  gltf: readGltf,
};

// `loose`: a geometry without faces is a cloud of points, not a list of triangles.
async function soupOfGeometry(geometry: BufferGeometry, loose = false): Promise<Soup> {
  const {Mesh, Points} = await import('three');
  return soupOfScene(loose && !geometry.index ? new Points(geometry) : new Mesh(geometry));
}

// All the meshes, lines and points of a scene, where they stand in it, one after the other.
export function soupOfScene(scene: Object3D): Soup {
  scene.updateMatrixWorld(true);
  const positions: number[] = [];
  const triangles: number[] = [];
  const lines: number[] = [];
  scene.traverse((object) => {
    const {geometry} = object as {geometry?: BufferGeometry};
    const place = geometry?.getAttribute('position');
    if (!geometry || !place) return;
    const first = positions.length / 3;
    const {elements: m} = object.matrixWorld;
    for (let i = 0; i < place.count; ++i) {
      const [x, y, z] = [place.getX(i), place.getY(i), place.getZ(i)];
      for (let row = 0; row < 3; ++row) {
        positions.push(
          (m[row] ?? 0) * x + (m[4 + row] ?? 0) * y + (m[8 + row] ?? 0) * z + (m[12 + row] ?? 0),
        );
      }
    }
    const corners = geometry.index
      ? Array.from(geometry.index.array)
      : Array.from({length: place.count}, (_, i) => i);
    const kind = object as {
      isMesh?: boolean;
      isLineSegments?: boolean;
      isLine?: boolean;
      isLineLoop?: boolean;
    };
    if (kind.isMesh) {
      for (let i = 0; i + 2 < corners.length; i += 3)
        for (let k = 0; k < 3; ++k) triangles.push(first + (corners[i + k] ?? 0));
    } else if (kind.isLine) {
      const step = kind.isLineSegments ? 2 : 1;
      for (let i = 0; i + 1 < corners.length; i += step)
        lines.push(first + (corners[i] ?? 0), first + (corners[i + 1] ?? 0));
      if (kind.isLineLoop && corners.length > 2)
        lines.push(first + (corners[corners.length - 1] ?? 0), first + (corners[0] ?? 0));
    }
  });
  return {
    positions: Float64Array.from(positions),
    triangles: Uint32Array.from(triangles),
    lines: Uint32Array.from(lines),
  };
}
