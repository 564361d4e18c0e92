// Decodes compressed positions (docs/reference/compressed.md) with weft-codec.wasm (clients/web/wasm/codec.h): in
// pages, workers and Node.
import {WeftError} from './error.js';
import {compileModule, type ModuleSource} from './module.js';

/** A body as the codec sees it: its number of vertices, and its elements with `corners` indices each, as they were
 *  added. */
export interface CodecTopology {
  readonly count: number;
  readonly corners: number;
  readonly indices: ArrayLike<number>;
}

/** Decodes the chunks of one body. Each builds on the chunks before of its tile. */
export interface CodecDecoder {
  /** Number of tiles in which a body of this size is sent. */
  readonly tiles: number;
  /** The body's vertices in a tile, ascending. */
  vertices(tile: number): Uint32Array;
  /** x, y, z of each vertex of a tile. Throws `NOT_HELD` if the chunk builds on a moment that is not held, `INVALID` if
   *  it is malformed. */
  delta(chunk: Uint8Array, tile?: number): Float32Array;
  /** Frees its memory. It must not be used afterwards. */
  close(): void;
}

/** The module, from which decoders are made. */
export interface Codec {
  /** Post it to a worker, and pass it to `loadCodec` there. */
  readonly module: WebAssembly.Module;
  /** Size of the module's memory in bytes, which never shrinks. */
  readonly memory: number;
  /** x, y, z of `count` vertices, from a chunk that stands alone. Throws `INVALID` if it is malformed. */
  q16(chunk: Uint8Array, count: number): Float32Array;
  /** Throws `INVALID` if an index names no vertex, and `MEMORY`. */
  decoder(topology: CodecTopology): CodecDecoder;
}

// The functions of clients/web/wasm/codec.h. Pointers are offsets into the memory, 0 for none.
interface Exports {
  readonly memory: WebAssembly.Memory;
  _initialize(): void;
  unpack_alloc(size: number): number;
  unpack_free(bytes: number): void;
  unpack_tiles(count: number, corners: number, indices: number, indexCount: number): number;
  unpack_tiles_free(tiles: number): void;
  unpack_tile_count(tiles: number): number;
  unpack_tile_size(tiles: number, tile: number): number;
  unpack_tile_vertices(tiles: number, tile: number): number;
  unpack_decoder(tiles: number, tile: number): number;
  unpack_decoder_free(decoder: number): void;
  unpack_delta(decoder: number, data: number, size: number, out: number): number;
  unpack_q16(data: number, size: number, count: number, out: number): number;
}

const OK = 0; // enum codec_status
const BASE = 2;
const COUNT_MAX = 1 << 24;
const INDICES_MAX = 1 << 26;

function invalid(text: string): WeftError {
  return new WeftError({kind: 1, code: 'INVALID', text});
}

/** A block in the module's memory that grows, and is used again and again. */
class Room {
  at = 0;
  private size = 0;

  constructor(private readonly exports: Exports) {}

  /** Offset of a block of this size; its earlier contents are lost. */
  of(size: number): number {
    if (this.at === 0 || size > this.size) {
      this.exports.unpack_free(this.at);
      this.size = Math.max(size, Math.min(2 * this.size, 1 << 24));
      this.at = this.exports.unpack_alloc(this.size);
      if (this.at === 0) {
        const text = `no memory for ${this.size} bytes in the browser's module`;
        this.size = 0;
        throw new WeftError({kind: 0, code: 'MEMORY', text});
      }
    }
    return this.at;
  }
}

class Instance implements Codec {
  private readonly exports: Exports;
  private readonly input: Room;
  private readonly output: Room;
  private broken: WeftError | undefined;

  constructor(readonly module: WebAssembly.Module) {
    this.exports = new WebAssembly.Instance(module, {}).exports as unknown as Exports;
    this.exports._initialize();
    this.input = new Room(this.exports);
    this.output = new Room(this.exports);
  }

  get memory(): number {
    return this.exports.memory.buffer.byteLength;
  }

  /** Calls into the module. After a trap its memory is inconsistent, so all later calls throw. */
  call<Result>(work: (exports: Exports) => Result): Result {
    if (this.broken !== undefined) {
      throw this.broken;
    }
    try {
      return work(this.exports);
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) {
        this.broken = new WeftError({kind: 0, code: 'INTERNAL', text: `weft-codec.wasm broke: ${error.message}`});
        throw this.broken;
      }
      throw error;
    }
  }

  /** A copy of the vertices that `work` leaves in the block. */
  read(chunk: Uint8Array, count: number, work: (exports: Exports, data: number, out: number) => number): Float32Array {
    const status = this.call((exports) => {
      const data = this.input.of(chunk.byteLength);
      const out = this.output.of(12 * count);
      new Uint8Array(exports.memory.buffer, data, chunk.byteLength).set(chunk);
      return work(exports, data, out);
    });
    if (status === BASE) {
      throw new WeftError({kind: 1, code: 'NOT_HELD', text: 'a chunk builds on a moment that is not held'});
    }
    if (status !== OK) {
      throw invalid(`these are no compressed positions of ${count} vertices`);
    }
    return new Float32Array(this.exports.memory.buffer, this.output.at, 3 * count).slice();
  }

  q16(chunk: Uint8Array, count: number): Float32Array {
    // Memory is allocated for the bytes that came, not for the claimed size.
    if (!Number.isSafeInteger(count) || count < 0 || chunk.byteLength < 6 * count) {
      throw invalid(`these are no compressed positions of ${count} vertices`);
    }
    return this.read(chunk, count, (exports, data, out) => exports.unpack_q16(data, chunk.byteLength, count, out));
  }

  decoder(topology: CodecTopology): CodecDecoder {
    const {count, corners, indices} = topology;
    if (!(count >= 0 && count <= COUNT_MAX && indices.length <= INDICES_MAX)) {
      throw invalid(`${count} vertices and ${indices.length} indices are more than can be read here`);
    }
    return this.call((exports) => {
      const at = exports.unpack_alloc(4 * indices.length);
      if (at === 0) {
        throw new WeftError({kind: 0, code: 'MEMORY', text: "no memory for a body in the browser's module"});
      }
      new Uint32Array(exports.memory.buffer, at, indices.length).set(indices);
      const tiles = exports.unpack_tiles(count, corners, at, indices.length);
      exports.unpack_free(at);
      if (tiles === 0) {
        throw invalid(`no plan of ${count} vertices: an index names none of them, or there is no memory`);
      }
      return new OpenDecoder(this, tiles, exports.unpack_tile_count(tiles));
    });
  }
}

interface Tile {
  readonly vertices: Uint32Array;
  decoder: number; // 0: not needed yet
}

class OpenDecoder implements CodecDecoder {
  private readonly of: (Tile | undefined)[] = [];

  constructor(
    private readonly instance: Instance,
    private at: number, // 0: closed
    readonly tiles: number,
  ) {}

  private tile(tile: number): Tile {
    if (this.at === 0) {
      throw new WeftError({kind: 1, code: 'CLOSED', text: 'the decoder was closed'});
    }
    if (!(Number.isInteger(tile) && tile >= 0 && tile < this.tiles)) {
      throw invalid(`there is no tile ${tile} of ${this.tiles}`);
    }
    return (this.of[tile] ??= this.instance.call((exports) => {
      const first = exports.unpack_tile_vertices(this.at, tile);
      const count = exports.unpack_tile_size(this.at, tile);
      return {vertices: new Uint32Array(exports.memory.buffer, first, count).slice(), decoder: 0};
    }));
  }

  vertices(tile: number): Uint32Array {
    return this.tile(tile).vertices;
  }

  delta(chunk: Uint8Array, tile = 0): Float32Array {
    const of = this.tile(tile);
    if (of.decoder === 0) {
      of.decoder = this.instance.call((exports) => exports.unpack_decoder(this.at, tile));
      if (of.decoder === 0) {
        throw new WeftError({kind: 0, code: 'MEMORY', text: "no memory for a body in the browser's module"});
      }
    }
    return this.instance.read(chunk, of.vertices.length, (exports, data, out) =>
      exports.unpack_delta(of.decoder, data, chunk.byteLength, out),
    );
  }

  close(): void {
    if (this.at !== 0) {
      this.instance.call((exports) => {
        this.of.forEach((tile) => tile !== undefined && exports.unpack_decoder_free(tile.decoder));
        exports.unpack_tiles_free(this.at);
      });
      this.of.length = 0;
      this.at = 0;
    }
  }
}

/** Loads weft-codec.wasm. */
export async function loadCodec(source: ModuleSource): Promise<Codec> {
  return new Instance(await compileModule(source));
}
