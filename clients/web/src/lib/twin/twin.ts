// A twin of a world: a copy that is computed here from the server's records (docs/concepts/twins.md).
//
//     client ──stream.records──▶ Twin ──▶ Runner, in a worker or on this thread ──▶ frames
//       ▲                        │
//       └── a hash differs, something is missing, the stream was closed: reports it, and subscribes again
import type {StreamRecordsNotice} from '../api.generated.js';
import {Emitter} from '../emitter.js';
import {WeftError} from '../error.js';
import {fullBeside} from '../machine.js';
import {compileModule, isFetched, type ModuleSource} from '../module.js';
import type {Client, Frame, Stream} from '../types.js';
import type {Vec3} from '../values.js';
import type {HandDoes, HandPoint} from './ahead.js';
import {clockMs, NO_STATUS, Runner, type Tells, type Told} from './runner.js';
import type {TwinBounds, TwinField, TwinStatus} from './types.js';

/** The part of a Worker that is used. */
export interface TwinWorker {
  onmessage: ((event: any) => void) | null;
  onerror: ((event: any) => void) | null;
  postMessage(message: unknown): void;
  terminate(): void;
}

export interface TwinOptions extends TwinBounds {
  readonly world: number | string;
  /** weft-machine.wasm: its bytes, its address, or a compiled module. */
  readonly machine: ModuleSource;
  /** weft-machine-full.wasm, which is fetched when the world needs a kind that `machine` lacks. Default: the one beside
   *  `machine`, if that is an address of the package's names. */
  readonly full?: ModuleSource;
  /** A worker of the package's twin-worker.js, for this twin alone; it ends with the twin. Absent: ticks run on this
   *  thread. */
  readonly worker?: TwinWorker;
  /**
   * Number of threads for its ticks, if there is a worker and the machine is weft-machine-threads.wasm. Default: the
   * number of cores, at most 8.
   */
  readonly threads?: number;
  /** Fields of its frames. Default: positions. */
  readonly fields?: readonly TwinField[];
  /** Greatest number of frames per second. Default 60. */
  readonly perSecond?: number;
}

export interface Twin {
  readonly status: TwinStatus;
  set(wanted: {readonly fields?: readonly TwinField[]; readonly perSecond?: number}): void;
  /** States of its world, like those of a stream; `seq` counts them, `receivedAt` is now. */
  onFrame(callback: (frame: Frame) => void): () => void;
  /**
   * Predicts a drag of this client while its grab is on its way to the server: if the machine has the time, frames
   * have `ahead`, which shows it at once. This sends nothing to the server: the caller makes the grab, and tells the
   * hand what becomes of it.
   */
  hold(point: HandPoint, target: Vec3): TwinHand;
  /** Called a few times a second, and at each change. */
  onStatus(callback: (status: TwinStatus) => void): () => void;
  close(): void;
}

export interface TwinHand {
  move(target: Vec3): void;
  /** The server has begun its grab, with that id. */
  begun(grab: number): void;
  end(): void;
  /** The server refused it, or is not reached: the prediction ends at once. */
  drop(): void;
}

const THREADS_MOST = 8;
const AGAIN_MS = 1000;
const AGAIN_MOST_MS = 60_000;
/** Number of equal hashes after which a loss is over. */
const STEADY_HASHES = 10;

class RunningTwin implements Twin {
  status: TwinStatus = NO_STATUS;
  private readonly frames = new Emitter<[Frame]>();
  private readonly statuses = new Emitter<[TwinStatus]>();
  private readonly worker: TwinWorker | null;
  private readonly runner: Runner | null;
  private readonly offState: () => void;
  private fields: readonly TwinField[];
  private perSecond: number;
  private stream: Stream | null = null;
  private isReady = false;
  private isJoining = false;
  /** The stream that is being joined was left already: its image may come before the answer that has its id. */
  private isLeft = false;
  private isClosed = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private seq = 0;
  private hands = 0;
  private imagesAtLoss = 0;
  private hashesAtLoss = 0;
  // Losses and refusals in a row. A loss counts if it came soon after an image.
  private failures = 0;

  constructor(
    private readonly client: Client,
    private readonly options: TwinOptions,
  ) {
    this.fields = options.fields ?? ['positions'];
    this.perSecond = options.perSecond ?? 60;
    this.worker = options.worker ?? null;
    this.runner = this.worker === null ? new Runner((tells) => this.hear(tells)) : null;
    if (this.worker !== null) {
      this.worker.onmessage = ({data}: {data: Tells}) => this.hear(data);
      this.worker.onerror = (event: {message?: string}) =>
        this.end(`the twin's worker broke: ${event.message ?? 'it could not be loaded'}`);
    }
    this.offState = client.onState((state) => {
      if (state !== 'open') {
        this.say({kind: 'alone'});
      } else if (this.stream === null) {
        this.join();
      }
    });
    void this.load();
  }

  set(wanted: {readonly fields?: readonly TwinField[]; readonly perSecond?: number}): void {
    this.fields = wanted.fields ?? this.fields;
    this.perSecond = wanted.perSecond ?? this.perSecond;
    this.say({kind: 'want', fields: this.fields, perSecond: this.perSecond});
  }

  hold(point: HandPoint, target: Vec3): TwinHand {
    const hand = ++this.hands;
    const tell = (told: HandDoes) =>
      this.say({kind: 'hand', hand, told, atMs: clockMs(), latencyMs: this.client.latencyMs ?? 0});
    tell({does: 'begin', point, target});
    return {
      move: (at) => tell({does: 'move', target: at}),
      begun: (grab) => tell({does: 'begun', grab}),
      end: () => tell({does: 'end'}),
      drop: () => tell({does: 'drop'}),
    };
  }

  onFrame(callback: (frame: Frame) => void): () => void {
    return this.frames.add(callback);
  }

  onStatus(callback: (status: TwinStatus) => void): () => void {
    return this.statuses.add(callback);
  }

  close(): void {
    this.end('');
  }

  private say(told: Told): void {
    if (!this.isClosed) {
      this.worker?.postMessage(told);
      this.runner?.hear(told);
    }
  }

  private end(text: string): void {
    if (this.isClosed) {
      return;
    }
    this.isClosed = true;
    clearTimeout(this.timer);
    this.offState();
    this.leave();
    this.runner?.close();
    this.worker?.terminate();
    this.become({...this.status, state: 'closed', text});
  }

  private become(status: TwinStatus): void {
    this.status = status;
    this.statuses.emit(status);
  }

  private async load(): Promise<void> {
    const {imageBytes, waitingBytes} = this.options;
    try {
      const module = await compileModule(this.machine());
      const bounds = {...(imageBytes !== undefined && {imageBytes}), ...(waitingBytes !== undefined && {waitingBytes})};
      const threads = this.options.threads ?? Math.min(THREADS_MOST, globalThis.navigator?.hardwareConcurrency ?? 1);
      this.say({kind: 'begin', module, bounds, threads});
      this.set({});
      this.isReady = true;
      this.join();
    } catch (error) {
      this.end(`weft-machine.wasm: ${(error as Error).message}`);
    }
  }

  private full(): ModuleSource | undefined {
    return this.options.full ?? fullBeside(this.options.machine);
  }

  // The full module at once, if another world of the page has fetched it.
  private machine(): ModuleSource {
    const full = this.full();
    return full !== undefined && isFetched(full) ? full : this.options.machine;
  }

  // The world needs what the first module lacks. Edits go on at the server meanwhile; the image that comes after it has
  // them. If the module does not come, the twin ends, and the world is as it was.
  private async widen(): Promise<void> {
    const full = this.full();
    this.isReady = false;
    clearTimeout(this.timer);
    this.leave();
    try {
      if (full === undefined) {
        throw new Error(`${this.status.text}, and its address is not known: it is the option "full"`);
      }
      const module = await compileModule(full);
      this.say({kind: 'widen', module});
      this.isReady = true;
      this.join();
    } catch (error) {
      this.end(`weft-machine-full.wasm: ${(error as Error).message}`);
    }
  }

  // Talking to the server

  private join(): void {
    if (!this.isReady || this.isJoining || this.isClosed || this.stream !== null) {
      return;
    }
    clearTimeout(this.timer);
    this.isJoining = true;
    const {world} = this.options;
    this.client
      .subscribeRecords(world, (notice, receivedAt, bytes) => this.take(notice, receivedAt, bytes))
      .then(
        (stream) => this.joined(stream),
        (error: unknown) => this.refused(error),
      );
  }

  private joined(stream: Stream): void {
    this.isJoining = false;
    if (this.isClosed || this.isLeft) {
      this.isLeft = false;
      void stream.close();
      this.joinLater(this.failures);
      return;
    }
    this.stream = stream;
    stream.onClosed(() => {
      if (this.stream === stream) {
        this.stream = null;
        this.joinLater(0);
      }
    });
  }

  private refused(error: unknown): void {
    this.isJoining = this.isLeft = false;
    if (!(error instanceof WeftError)) {
      throw error;
    }
    // A failed world may be repaired; a lost connection may come back, and then this is called again.
    if (['CONFLICT', 'BUSY', 'LIMIT'].includes(error.code) || error.kind === 0) {
      this.joinLater(++this.failures);
    } else {
      this.end(error.text);
    }
  }

  private joinLater(failures: number): void {
    const delay = failures <= 0 ? 0 : Math.min(AGAIN_MOST_MS, AGAIN_MS * 2 ** Math.min(failures - 1, 10));
    clearTimeout(this.timer);
    if (!this.isClosed) {
      this.timer = setTimeout(() => this.join(), delay);
    }
  }

  private leave(): void {
    this.isLeft = this.isJoining;
    this.stream?.close().catch(() => undefined);
    this.stream = null;
  }

  private take(notice: StreamRecordsNotice, receivedAt: number, bytes: number): void {
    // Only needed fields go to the worker: the rest of a server's message may be anything.
    const {tick, at, seq, state, rate, records, hash, part, parts, size, sequence, image} = notice;
    const params = {tick, at, seq, state, rate, records, hash, part, parts, size, sequence, image};
    this.say({kind: 'take', params, atMs: clockMs() - (performance.now() - receivedAt), bytes});
  }

  // -- with the runner

  private hear(tells: Tells): void {
    if (this.isClosed) {
      return;
    }
    if (tells.kind === 'status') {
      const {state, hashes} = tells.status;
      this.failures = state === 'following' && hashes >= this.hashesAtLoss + STEADY_HASHES ? 0 : this.failures;
      this.become(tells.status);
    } else if (tells.kind === 'lost') {
      this.lost(tells.status, tells.differs);
      this.become(tells.status);
    } else if (tells.kind === 'needs') {
      this.become(tells.status);
      void this.widen();
    } else {
      this.say({kind: 'taken'});
      const world = typeof this.options.world === 'number' ? this.options.world : 0;
      this.frames.emit({...tells.moment, world, seq: ++this.seq, dropped: 0, receivedAt: performance.now()});
    }
  }

  // Its state is of no use: reports that, and starts again from an image. If an image did not help, or the state
  // differs again and again, another image may not help either: then later.
  private lost({images, hashes, tick}: TwinStatus, differs: boolean): void {
    const {stream} = this;
    if (differs && stream !== null && stream.id !== 0) {
      this.client.call('stream.differs', {stream: stream.id, tick}).catch(() => undefined);
    }
    const helped = images > this.imagesAtLoss;
    this.failures = differs || !helped ? this.failures + 1 : 0;
    this.imagesAtLoss = images;
    this.hashesAtLoss = hashes;
    this.leave();
    this.joinLater(helped ? this.failures - 1 : this.failures);
  }
}

/**
 * Runs a twin of a world of the client's server; the client must be allowed to see the world. It begins at once and
 * runs by itself until `close`, also after lost connections; a deleted world closes it.
 */
export function openTwin(client: Client, options: TwinOptions): Twin {
  return new RunningTwin(client, options);
}
