// Parts that all modules of WebAssembly share: loading them, and the functions that they import.
import {WeftError} from './error.js';

/** A module: its bytes, its address, or a module that another thread compiled. */
export type ModuleSource = BufferSource | URL | string | WebAssembly.Module;

// By address. The server that served the page may be gone when the page needs a module again.
const fetched = new Map<string, Promise<WebAssembly.Module>>();

/** Compiles it. A module that was fetched once is not fetched again. */
export async function compileModule(source: ModuleSource): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) {
    return source;
  }
  if (typeof source !== 'string' && !(source instanceof URL)) {
    return WebAssembly.compile(source);
  }
  const address = String(source);
  const known = fetched.get(address) ?? fetchModule(address);
  fetched.set(address, known);
  known.catch(() => fetched.get(address) === known && fetched.delete(address));
  return known;
}

// Those of them that are here.
const compiled = new Set<string>();

/** Whether `compileModule` needs nothing from the network: it has no address, or was fetched before. */
export function isFetched(source: ModuleSource): boolean {
  const hasAddress = typeof source === 'string' || source instanceof URL;
  return !hasAddress || compiled.has(String(source));
}

async function fetchModule(address: string): Promise<WebAssembly.Module> {
  const response = await fetch(address);
  if (!response.ok) {
    throw new WeftError({kind: 0, code: 'LOST', text: `${address}: ${response.status} ${response.statusText}`});
  }
  const module = await WebAssembly.compile(await response.arrayBuffer());
  compiled.add(address);
  return module;
}

const TEXT_MAX = 512;
const STDERR = 2;

/** WASI's errno for a missing file. */
export const NO_SUCH = 52;

/** The function of WASI that a broken invariant needs: writing its text. */
export class Complaints {
  /** The last part of the text. */
  text = '';
  readonly imports = {
    fd_write: (fd: number, parts: number, count: number, written: number) => this.write(fd, parts, count, written),
    fd_close: () => NO_SUCH,
    fd_seek: () => NO_SUCH,
  };

  constructor(private readonly memory: () => WebAssembly.Memory) {}

  private write(fd: number, parts: number, count: number, written: number): number {
    const {buffer} = this.memory();
    const view = new DataView(buffer);
    let size = 0;
    for (let part = 0; part < count; part++) {
      const at = view.getUint32(parts + 8 * part, true);
      const length = view.getUint32(parts + 8 * part + 4, true);
      if (fd === STDERR) {
        // Decodes a copy, because decoders do not accept shared memory.
        this.text = (this.text + new TextDecoder().decode(new Uint8Array(buffer, at, length).slice())).slice(-TEXT_MAX);
      }
      size += length;
    }
    view.setUint32(written, size, true);
    return 0;
  }
}
