// weft-files.wasm (clients/web/wasm/files/files.h): scenes and meshes are read, welded and filled by the code that `weft` does it
// with.
//
// An instance does one piece of work: its memory, which never shrinks, goes with it.
import {compileModule, Complaints, type ModuleSource} from '../lib/module.js';
import {decode} from '../lib/wire.js';
import type {Lattice, Scene, Soup, Tell, Welded} from './mesh.js';

// The functions of files.h. Pointers are offsets into the memory, 0 for none.
interface Exports {
  readonly memory: WebAssembly.Memory;
  _initialize(): void;
  files_alloc(size: number): number;
  files_refusal(): number;
  files_beside(name: number, bytes: number, size: number): number;
  files_scene(name: number, text: number, size: number): number;
  files_obj(name: number, text: number, size: number): number;
  files_gmsh(name: number, bytes: number, size: number): number;
  files_tetgen(name: number, nodes: number, size: number, eleName: number, eles: number, eleSize: number): number;
  files_give(positions: number, count: number, triangles: number, triangleCount: number, lines: number, lineCount: number): number;
  files_look(uvs: number, uvCount: number, materials: number, materialCount: number): number;
  files_cut(polygons: number, count: number): number;
  files_weld(): number;
  files_fill(cells: number): number;
  files_mesh(): number;
}

const STAGES: Readonly<Record<string, string>> = {reading: 'Reading the mesh', filling: 'Filling'};

// Compiles the module. Throws an Error for people.
export async function compileFiles(source: ModuleSource): Promise<WebAssembly.Module> {
  try {
    return await compileModule(source);
  } catch {
    throw new Error('This page cannot read files: it was built without weft-files.wasm, or its server is out of reach.');
  }
}

// Everything throws an Error for people where a file is wrong. Names are those that it calls the files.
export class Files {
  private readonly exports: Exports;
  private readonly complaints = new Complaints(() => this.exports.memory);

  constructor(
    module: WebAssembly.Module,
    private readonly tell: Tell = () => undefined,
  ) {
    const wasi = {
      ...this.complaints.imports,
      // There are no variables.
      environ_sizes_get: (count: number, size: number) => {
        this.words(count, 1)[0] = 0;
        this.words(size, 1)[0] = 0;
        return 0;
      },
      environ_get: () => 0,
      proc_exit: (code: number) => {
        throw new WebAssembly.RuntimeError(`the module ended with status ${code}`);
      },
    };
    const weft = {
      files_told: (stage: number, share: number) =>
        this.tell(STAGES[this.text(stage)] ?? this.text(stage), share < 0 ? null : share),
    };
    const instance = new WebAssembly.Instance(module, {wasi_snapshot_preview1: wasi, weft});
    this.exports = instance.exports as unknown as Exports;
    this.exports._initialize();
  }

  // The files that may be beside it have the names by which the scene refers to them, without folders.
  scene(name: string, text: Uint8Array, beside: ReadonlyMap<string, ArrayBuffer> = new Map()): Scene {
    for (const [other, bytes] of beside) this.call('files_beside', this.name(other), ...this.give(new Uint8Array(bytes)));
    const at = this.call('files_scene', this.name(name), ...this.give(text));
    const [nameAt = 0, document = 0, size = 0] = this.words(at, 3);
    const bytes = this.bytes(document, size).slice();
    return {name: this.text(nameAt), document: decode(bytes) as Scene['document']};
  }

  obj(name: string, text: Uint8Array): void {
    this.call('files_obj', this.name(name), ...this.give(text));
  }

  gmsh(name: string, bytes: Uint8Array): void {
    this.call('files_gmsh', this.name(name), ...this.give(bytes));
  }

  tetgen(nodeName: string, nodes: Uint8Array, eleName: string, eles: Uint8Array): void {
    this.call('files_tetgen', this.name(nodeName), ...this.give(nodes), this.name(eleName), ...this.give(eles));
  }

  soup({positions, triangles, lines, polygons, paint}: Soup): void {
    const part = (array: Float64Array | Float32Array | Uint32Array, each: number): [number, number] => [
      this.give(new Uint8Array(array.buffer, array.byteOffset, array.byteLength))[0],
      Math.floor(array.length / each),
    ];
    this.call('files_give', ...part(positions, 3), ...part(triangles, 3), ...part(lines, 2));
    if (paint) this.call('files_look', ...part(paint.uvs, 6), ...part(paint.materials, 1));
    if (polygons) this.call('files_cut', ...part(polygons, 2));
  }

  // Makes one vertex of those that lie in one place, and leaves out what is collapsed, repeated or unused.
  weld(): Welded {
    this.call('files_weld');
    return this.mesh();
  }

  // As it is now.
  mesh(): Welded {
    const {at, positions, triangles, lines, tets, paint} = this.arrays();
    const [merged = 0, collapsed = 0, repeated = 0, unused = 0, uncut = 0] = at.subarray(8, 13);
    return {positions, triangles, lines, tets, ...paint, merged, collapsed, repeated, unused, uncut};
  }

  // Fills the closed surface with about so many cells.
  fill(cells: number): Lattice {
    this.tell('Looking at the surface', null);
    this.call('files_fill', cells);
    const {positions, triangles, tets, skin, paint} = this.arrays();
    return {positions, tets, skin: {...skin, triangles}, ...paint};
  }

  // -- the module's memory, which gets another buffer when it grows

  private bytes(at: number, size: number): Uint8Array {
    return new Uint8Array(this.exports.memory.buffer, at, size);
  }

  private words(at: number, count: number): Uint32Array {
    return new Uint32Array(this.exports.memory.buffer, at, count);
  }

  private text(at: number): string {
    const bytes = new Uint8Array(this.exports.memory.buffer, at);
    return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
  }

  private name(name: string): number {
    return this.give(new TextEncoder().encode(`${name}\0`))[0];
  }

  private give(bytes: Uint8Array): [at: number, size: number] {
    const at = this.exports.files_alloc(bytes.byteLength) >>> 0;
    if (at === 0) throw new Error('The browser has not enough memory for it.');
    this.bytes(at, bytes.byteLength).set(bytes);
    return [at, bytes.byteLength];
  }

  private arrays() {
    const at = this.words(this.exports.files_mesh() >>> 0, 18).slice();
    const {buffer} = this.exports.memory;
    const whole = (which: number, each: number) => new Uint32Array(buffer, at[which]!, each * at[which + 1]!).slice();
    const paint = at[17]! > 0 && {
      uvs: new Float32Array(buffer, at[16]!, at[16]! > 0 ? 6 * at[3]! : 0).slice(),
      materials: new Uint32Array(buffer, at[17]!, at[3]!).slice(),
    };
    return {
      at,
      paint: paint ? {paint} : {},
      positions: new Float64Array(buffer, at[0]!, 3 * at[1]!).slice(),
      triangles: whole(2, 3),
      lines: whole(4, 2),
      tets: whole(6, 4),
      skin: {
        particles: new Uint32Array(buffer, at[13]!, 4 * at[15]!).slice(),
        weights: new Float32Array(buffer, at[14]!, 4 * at[15]!).slice(),
      },
    };
  }

  // Returns what the module made, or throws why the module refused.
  private call(name: Exclude<keyof Exports, 'memory'>, ...values: number[]): number {
    let result = 0;
    try {
      result = (this.exports[name] as (...values: number[]) => number)(...values) >>> 0;
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      throw new Error(`weft-files.wasm broke: ${error.message} ${this.complaints.text}`.trim());
    }
    if (result === 0) throw new Error(this.text(this.exports.files_refusal() >>> 0));
    return result;
  }
}
