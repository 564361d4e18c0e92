// The server of a page: weft-world.wasm (clients/web/wasm/page), which is weftd without sockets, threads and folders, and the
// clock that gives it its turns. For a worker: a turn may take as long as a tick of a large world.
//
//     receive ─▶ module ─turn─▶ peer.message        the messages of a WebSocket, byte for byte
import {Complaints, NO_SUCH} from '../lib/module.js';

/** Who is told. */
export interface LocalPeer {
  /** The bytes are the peer's. */
  message(bytes: ArrayBuffer): void;
  /** The module ended the connection, with a code of WebSockets. */
  closed(code: number, reason: string): void;
  /** The module broke, and does nothing any more: its worlds are gone. */
  broken(text: string): void;
}

// The exports of the module; clients/web/wasm/page/page.h describes them.
interface Exports {
  readonly memory: WebAssembly.Memory;
  _initialize(): void;
  page_start(): number;
  page_connect(): number;
  page_disconnect(): void;
  page_alloc(size: number): number;
  page_receive(bytes: number, size: number): void;
  page_taken(count: number): void;
  page_turn(): number;
}

const REALTIME = 0; // and its clock of dates; all others are monotonic
const POLICY = 1008; // of WebSockets' codes
const FAILURE = 1011;

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

// Calls back in a turn of its own, without the least wait of a timer: what came meanwhile has its turn before. Node hands up a
// thousand messages of a channel in a row.
function sooner(work: () => void): {ask(): void; close(): void} {
  const {setImmediate} = globalThis as {setImmediate?: (callback: () => void) => unknown};
  if (setImmediate !== undefined) {
    return {ask: () => setImmediate(work), close: () => {}};
  }
  const {port1, port2} = new MessageChannel();
  port1.onmessage = work;
  return {ask: () => port2.postMessage(null), close: () => port1.close()};
}

export class LocalServer {
  readonly #exports: Exports;
  readonly #peer: LocalPeer;
  readonly #soon = sooner(() => this.#turn());
  #timer: ReturnType<typeof setTimeout> | undefined;
  #due = false; // a turn is asked for at once
  readonly #complaints = new Complaints(() => this.#exports.memory);
  #broken = false;

  constructor(module: WebAssembly.Module, peer: LocalPeer) {
    this.#peer = peer;
    const wasi = {
      ...this.#complaints.imports,
      clock_time_get: (clock: number, _precision: bigint, out: number) => this.#time(clock, out),
      poll_oneoff: () => NO_SUCH,
      proc_exit: (code: number) => {
        throw new WebAssembly.RuntimeError(`the module ended with status ${code}`);
      },
    };
    const weft = {
      page_send: (parts: number, count: number) => peer.message(this.#gather(parts, count)),
      page_closed: (code: number, reason: number, size: number) =>
        peer.closed(code, textOf(this.#bytes(reason, size))),
    };
    const instance = new WebAssembly.Instance(module, {wasi_snapshot_preview1: wasi, weft});
    this.#exports = instance.exports as unknown as Exports;
    this.#call(() => {
      this.#exports._initialize();
      if (this.#exports.page_start() === 0) {
        throw new WebAssembly.RuntimeError('it did not start');
      }
    });
  }

  /** The peer is there; another one that was has left. */
  connect(): void {
    this.#call((exports) => {
      if (exports.page_connect() === 0) {
        this.#peer.closed(POLICY, 'the connection is refused');
      }
    });
  }

  disconnect(): void {
    this.#call((exports) => exports.page_disconnect());
  }

  receive(bytes: Uint8Array): void {
    this.#call((exports) => {
      const at = exports.page_alloc(bytes.byteLength);
      if (at === 0) {
        exports.page_disconnect();
        this.#peer.closed(FAILURE, `not enough memory for a message of ${bytes.byteLength} bytes`);
        return;
      }
      this.#bytes(at, bytes.byteLength).set(bytes);
      exports.page_receive(at, bytes.byteLength);
    });
  }

  /** The peer has looked at so many messages more. Frames that it cannot keep up with are left out. */
  taken(count: number): void {
    this.#call((exports) => exports.page_taken(count));
  }

  /** Ends it. */
  close(): void {
    this.#broken = true;
    clearTimeout(this.#timer);
    this.#soon.close();
  }

  // Memory that grows gets another buffer, so a view is made again for each use.
  #bytes(at: number, size: number): Uint8Array {
    return new Uint8Array(this.#exports.memory.buffer, at, size);
  }

  // Each part is a place and a size.
  #gather(parts: number, count: number): ArrayBuffer {
    const list = new Uint32Array(this.#exports.memory.buffer, parts, 2 * count);
    let size = 0;
    for (let part = 0; part < count; part++) {
      size += list[2 * part + 1]!;
    }
    const message = new Uint8Array(size);
    let offset = 0;
    for (let part = 0; part < count; part++) {
      message.set(this.#bytes(list[2 * part]!, list[2 * part + 1]!), offset);
      offset += list[2 * part + 1]!;
    }
    return message.buffer;
  }

  #time(clock: number, out: number): number {
    const ms = clock === REALTIME ? Date.now() : performance.timeOrigin + performance.now();
    new DataView(this.#exports.memory.buffer).setBigUint64(out, BigInt(Math.round(ms * 1e3)) * 1000n, true);
    return 0;
  }

  // Once a call trapped, what it left is of no use.
  #call(work: (exports: Exports) => void): void {
    if (this.#broken) {
      return;
    }
    try {
      work(this.#exports);
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError || error instanceof RangeError)) {
        throw error;
      }
      this.close();
      this.#peer.broken(`${error.message} ${this.#complaints.text.trim()}`.trim());
      return;
    }
    this.#ask();
  }

  // Something came: a turn is due.
  #ask(): void {
    if (!this.#due && !this.#broken) {
      this.#due = true;
      clearTimeout(this.#timer);
      this.#soon.ask();
    }
  }

  #turn(): void {
    this.#due = false;
    if (this.#broken) {
      return;
    }
    let wait = 0;
    try {
      wait = this.#exports.page_turn();
    } catch (error) {
      this.#call(() => {
        throw error;
      });
      return;
    }
    if (wait === 0) {
      this.#ask();
    } else if (!this.#due) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#turn(), Math.ceil(wait));
    }
  }
}
