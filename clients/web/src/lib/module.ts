// What modules of WebAssembly have in common: where they come from, and what they ask of who runs them.
import {WeftError} from './error.js';

/** A module: its bytes, where it is to be fetched from, or what another thread compiled. */
export type ModuleSource = BufferSource | URL | string | WebAssembly.Module;

// By address. The server that a page came from may be gone when it needs a module again.
const fetched = new Map<string, Promise<WebAssembly.Module>>();

/** Compiles it, for several threads perhaps. What was fetched once is not fetched again. */
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

async function fetchModule(address: string): Promise<WebAssembly.Module> {
  const response = await fetch(address);
  if (!response.ok) {
    throw new WeftError({kind: 0, code: 'LOST', text: `${address}: ${response.status} ${response.statusText}`});
  }
  return WebAssembly.compile(await response.arrayBuffer());
}

const TEXT_MAX = 512;
const STDERR = 2;

/** WASI's errno for what is not there. */
export const NO_SUCH = 52;

/** Of WASI, what a broken invariant needs: a place to say so. */
export class Complaints {
  /** The end of what was said. */
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
        // A copy, for decoders do not read what is shared.
        this.text = (this.text + new TextDecoder().decode(new Uint8Array(buffer, at, length).slice())).slice(-TEXT_MAX);
      }
      size += length;
    }
    view.setUint32(written, size, true);
    return 0;
  }
}
