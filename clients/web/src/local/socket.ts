// A WebSocket whose other end is a worker of the page instead of a server: pass it to `connect({WebSocket})`.
//
//     LocalHost     the worker and its module; starts again after a failure
//     socket()      a class, each object of which is a connection to it; there is one at a time
import type {ToPage, ToWorker} from './messages.js';

/** What a worker is here. */
export interface LocalWorker {
  postMessage(message: ToWorker, transfer?: Transferable[]): void;
  terminate(): void;
  onmessage: ((event: {data: ToPage}) => void) | null;
  onerror: ((event: {message?: string}) => void) | null;
}

const LEFT = 1000;
const FAILURE = 1011; // of WebSockets' codes

const CONNECTING = 0;
const OPEN = 1;
const CLOSED = 3;

export class LocalHost {
  #worker: LocalWorker | null = null;
  #socket: LocalSocket | null = null;

  /** `module` and `worker` are asked for with the first connection, and again where what was there broke. */
  constructor(
    readonly module: () => Promise<WebAssembly.Module>,
    readonly worker: () => LocalWorker,
    /** It broke: its worlds are gone, and the next connection finds a new one. */
    readonly broken: (text: string) => void = () => {},
  ) {}

  socket(): new (url: string) => LocalSocket {
    const host = this;
    return class extends LocalSocket {
      constructor() {
        super(host);
      }
    };
  }

  // -- for sockets

  async enter(socket: LocalSocket): Promise<void> {
    this.#socket?.left();
    this.#socket = socket;
    try {
      if (this.#worker === null) {
        const module = await this.module();
        this.#worker ??= this.#start(module);
      }
      if (this.#socket === socket) {
        this.#worker.postMessage({kind: 'connect'});
      }
    } catch (error) {
      this.leave(socket);
      socket.end(FAILURE, error instanceof Error ? error.message : String(error));
    }
  }

  leave(socket: LocalSocket): void {
    if (this.#socket === socket) {
      this.#socket = null;
      this.#worker?.postMessage({kind: 'disconnect'});
    }
  }

  post(message: ToWorker, transfer: Transferable[] = []): void {
    this.#worker?.postMessage(message, transfer);
  }

  #start(module: WebAssembly.Module): LocalWorker {
    const worker = this.worker();
    worker.onmessage = ({data}) => this.#hear(data);
    worker.onerror = ({message}) => this.#break(message ?? 'it does not start');
    worker.postMessage({kind: 'start', module});
    return worker;
  }

  #hear(message: ToPage): void {
    const socket = this.#socket;
    if (message instanceof ArrayBuffer) {
      socket?.receive(message);
    } else if (message.kind === 'connected') {
      socket?.open();
    } else if (message.kind === 'closed') {
      this.#socket = null;
      socket?.end(message.code, message.reason);
    } else {
      this.#break(message.text);
    }
  }

  #break(text: string): void {
    const socket = this.#socket;
    this.#worker?.terminate();
    this.#worker = null;
    this.#socket = null;
    this.broken(text);
    socket?.end(FAILURE, `the server in this page failed: ${text}`);
  }
}

export class LocalSocket {
  binaryType = 'arraybuffer';
  readyState = CONNECTING;
  readonly bufferedAmount = 0;
  onopen: ((event: any) => void) | null = null;
  onclose: ((event: any) => void) | null = null;
  onerror: ((event: any) => void) | null = null;
  #listener: ((event: any) => void) | null = null;
  #host: LocalHost;

  constructor(host: LocalHost) {
    this.#host = host;
    void host.enter(this);
  }

  get onmessage(): ((event: any) => void) | null {
    return this.#listener;
  }

  set onmessage(listener: ((event: any) => void) | null) {
    this.#listener = listener;
  }

  send(data: Uint8Array): void {
    if (this.readyState === OPEN) {
      const bytes = data.slice().buffer;
      this.#host.post(bytes, [bytes]);
    }
  }

  close(): void {
    if (this.readyState !== CLOSED) {
      this.#host.leave(this);
      this.end(LEFT, '');
    }
  }

  terminate(): void {
    this.close();
  }

  // -- for the host

  open(): void {
    if (this.readyState === CONNECTING) {
      this.readyState = OPEN;
      this.onopen?.({});
    }
  }

  // Looked at when its listener returns: what it cannot keep up with is not sent.
  receive(bytes: ArrayBuffer): void {
    if (this.readyState === OPEN) {
      this.#listener?.({data: bytes});
      this.#host.post({kind: 'taken', count: 1});
    }
  }

  /** Another one took its place. */
  left(): void {
    this.end(LEFT, '');
  }

  end(code: number, reason: string): void {
    if (this.readyState !== CLOSED) {
      this.readyState = CLOSED;
      this.onclose?.({code, reason});
    }
  }
}
