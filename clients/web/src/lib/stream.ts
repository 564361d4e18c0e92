// A stream as its owner sees it: it outlives the connection. After a reconnect it is subscribed again with its last
// options. A stream that cannot be resumed (because its world is gone, for example) ends with the server's reason.
import type {
  StreamRecordsNotice,
  StreamSetParams,
  StreamSubscribeParams,
  StreamSubscribeResult,
} from './api.generated.js';
import type {Codec} from './codec.js';
import {callBack, Emitter} from './emitter.js';
import {WeftError} from './error.js';
import {FrameJoiner, type JoinedFrame, type PackedFrame, type Part} from './frame.js';
import {Filler} from './sparse.js';
import type {Frame, KnownBody, Stream, StreamOptions} from './types.js';
import {Unpacker} from './unpack.js';

type Changes = Omit<StreamSetParams, 'stream'>;

/** The functions of the client that a stream uses. */
export interface StreamHost {
  /** Decodes compressed positions; null: they cannot be decoded. */
  readonly codec: Codec | null;
  /** Calls back before the next message is read. */
  request(
    method: 'stream.subscribe' | 'stream.set' | 'stream.unsubscribe' | 'body.get',
    params: unknown,
    onResult: (result: unknown) => void,
    onError: (error: WeftError) => void,
  ): void;
  /** False if there is no connection. */
  notify(method: 'stream.ack', params: {stream: number; seq: number}): boolean;
  /** Frames and notices with this id are the stream's from now on. */
  attach(id: number, stream: ClientStream): void;
  detach(stream: ClientStream): void;
  /** The stream is over and is not to be subscribed again. */
  forget(stream: ClientStream): void;
}

// A server that is busy or failed may recover soon.
const RETRY_MS = 500;

// How often a frame that stands alone is asked for, at most.
const ASK_MS = 1000;

// For a lossless stream: delay of the acknowledgement, which covers all frames taken meanwhile.
const ACK_MS = 5;

/** Throws if the requested encoding cannot be decoded. */
function check(codec: Codec | null, encoding: string | undefined, method: string): void {
  if (codec === null && (encoding === 'q16' || encoding === 'delta')) {
    const text =
      `encoding "${encoding}" is not to be had: it is read by weft-codec.wasm, which this client was not given; ` +
      'connect({codec: await loadCodec(…)}) gives it, and "f32" needs none';
    throw new WeftError({kind: 1, code: 'INVALID', text, field: 'encoding', value: encoding}, method);
  }
}

function isPassing(error: WeftError): boolean {
  return error.kind === 0 || error.code === 'BUSY';
}

/** Receives frames, or records if that is the encoding. */
export interface StreamListener extends StreamOptions {
  readonly onFrame?: ((frame: Frame) => void) | undefined;
  readonly onLag?: ((droppedInAll: number) => void) | undefined;
  readonly onRecords?: ((notice: StreamRecordsNotice, receivedAt: number, bytes: number) => void) | undefined;
}

export class ClientStream implements Stream {
  id = 0;
  frames = 0;
  dropped = 0;
  private readonly joiner = new FrameJoiner();
  private unpacker: Unpacker | null = null;
  private filler: Filler | null = null;
  private askedAt = -Infinity;
  private readonly ended = new Emitter<[reason: string]>();
  private wishes: StreamSubscribeParams;
  /** Changes that the subscription under way does not include yet. */
  private late: Changes | null = null;
  private isSubscribing = false;
  private isOver = false;
  private retryTimer: ReturnType<typeof setTimeout> | undefined;
  private ackTimer: ReturnType<typeof setTimeout> | undefined;
  /** Its world has moved, and it is not subscribed at the new server yet. */
  parted = false;
  /** Tick and substep of the last frame, and of the first that may follow. */
  private given: readonly [number, number] = [0, 0];
  private from: readonly [number, number] = [0, 0];
  private taken = 0;
  /** `after` of the next frame. */
  private after: number | null = null;

  constructor(
    private readonly host: StreamHost,
    params: StreamSubscribeParams,
    private readonly listener: StreamListener,
  ) {
    this.wishes = {...params};
  }

  /** Subscribes for the first time. */
  start(onStarted: () => void, onError: (error: WeftError) => void): void {
    try {
      check(this.host.codec, this.wishes.encoding, 'stream.subscribe');
    } catch (error) {
      this.isOver = true;
      onError(error as WeftError);
      return;
    }
    this.request(onStarted, (error) => {
      this.isOver = true;
      onError(error);
    });
  }

  /** The connection is up again. */
  resume(): void {
    clearTimeout(this.retryTimer);
    if (this.isSubscribing) {
      return; // the subscription is under way
    }
    this.request(
      () => {},
      (error) => {
        if (error.code === 'LOST' || error.code === 'CLOSED') {
          return; // the next connection resumes it
        }
        if (isPassing(error)) {
          this.retryTimer = setTimeout(() => this.resume(), RETRY_MS);
        } else {
          this.end(error.text);
        }
      },
    );
  }

  /** The connection or the world is gone. If the stream goes on, no earlier frame is delivered. */
  suspend(inOrder = false): void {
    this.from = inOrder ? this.given : [0, 0];
    this.after = this.frames > 0 ? this.given[0] : null;
    clearTimeout(this.retryTimer);
    this.ackEnd();
    this.host.detach(this);
    this.id = 0;
    this.joiner.reset();
    this.unpacker?.reset();
    this.filler = null;
  }

  /** Its world has moved. */
  part(): void {
    this.suspend(true);
    this.parted = true;
  }

  /** The server ended it. */
  end(reason: string): void {
    this.finish();
    this.ended.emit(reason);
  }

  receive(part: Part): void {
    const frame = this.joiner.add(part);
    if (frame === null) {
      return;
    }
    if (this.wishes.mode === 'lossless') {
      this.taken = frame.seq;
      this.ackTimer ??= setTimeout(() => this.ack(), ACK_MS);
    }
    if (frame.packed === undefined) {
      this.pass(frame);
    } else if (this.host.codec !== null) {
      this.unpacker ??= new Unpacker(this.host.codec, {
        known: (body) => this.listener.body?.(body) ?? null,
        body: (world, body, onResult) => this.body(world, body, onResult),
        askAnew: () => void this.set({}).catch(() => {}),
        deliver: (whole) => this.deliver(whole),
        fail: (error) => {
          void this.unsubscribe(this.id);
          this.end(error.text);
        },
      });
      this.unpacker.take(frame as PackedFrame);
    }
  }

  private pass({leftOut = 0, ...frame}: JoinedFrame): void {
    // It is newer than the frames that wait to be decoded.
    let whole: Frame | null = this.unpacker === null ? frame : this.unpacker.pass(frame);
    if (this.wishes.sparse === true || leftOut > 0) {
      this.filler ??= new Filler();
      whole = this.filler.take(whole, leftOut);
    } else {
      this.filler = null;
    }
    const now = performance.now();
    if (whole !== null) {
      this.deliver(whole);
    } else if (now - this.askedAt >= ASK_MS) {
      this.askedAt = now;
      void this.set({}).catch(() => {});
    }
  }

  private ack(): void {
    this.ackTimer = undefined;
    if (this.id !== 0) {
      this.host.notify('stream.ack', {stream: this.id, seq: this.taken});
    }
  }

  private ackEnd(): void {
    clearTimeout(this.ackTimer);
    this.ackTimer = undefined;
  }

  private deliver(frame: Frame): void {
    const {onFrame} = this.listener;
    const [tick, substep] = this.from;
    if (onFrame !== undefined && !this.isOver && (frame.tick > tick || (frame.tick === tick && frame.substep >= substep))) {
      const whole = this.after === null ? frame : {...frame, after: this.after};
      this.after = null;
      this.given = [frame.tick, frame.substep];
      this.frames += 1;
      this.dropped += frame.dropped;
      callBack(onFrame, whole);
    }
  }

  told(notice: StreamRecordsNotice, receivedAt: number, bytes: number): void {
    const {onRecords} = this.listener;
    if (onRecords !== undefined) {
      callBack(onRecords, notice, receivedAt, bytes);
    }
  }

  private body(world: number, body: number, onResult: (result: KnownBody | null) => void): void {
    this.host.request(
      'body.get',
      {world, body},
      (result) => onResult(result as KnownBody),
      () => onResult(null),
    );
  }

  lagged(droppedInAll: number): void {
    const {onLag} = this.listener;
    if (onLag !== undefined) {
      callBack(onLag, droppedInAll);
    }
  }

  set(changes: Changes): Promise<void> {
    try {
      check(this.host.codec, changes.encoding, 'stream.set');
    } catch (error) {
      return Promise.reject(error);
    }
    if (this.isOver) {
      return Promise.resolve();
    }
    if (this.id === 0) {
      this.wish(changes);
      if (this.isSubscribing) {
        this.late = {...this.late, ...changes};
      }
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const done = () => {
        this.wish(changes);
        resolve();
      };
      this.host.request('stream.set', {...changes, stream: this.id}, done, (error) => {
        // It was lost on the way: it applies from the next subscription on.
        if (error.code === 'LOST') {
          done();
        } else {
          reject(error);
        }
      });
    });
  }

  close(): Promise<void> {
    const id = this.id;
    if (this.isOver) {
      return Promise.resolve();
    }
    this.finish();
    return id === 0 ? Promise.resolve() : this.unsubscribe(id);
  }

  onClosed(callback: (reason: string) => void): () => void {
    return this.ended.add(callback);
  }

  private wish(changes: Changes): void {
    const wishes = {...this.wishes, ...changes};
    // For stream.set an empty list means all bodies, for stream.subscribe a missing one does.
    if (wishes.bodies !== undefined && wishes.bodies.length === 0) {
      delete wishes.bodies;
    }
    // Only delta has a tolerance.
    if (wishes.encoding !== 'delta') {
      delete wishes.tolerance;
    }
    this.wishes = wishes;
  }

  private request(onStarted: () => void, onError: (error: WeftError) => void): void {
    this.isSubscribing = true;
    this.late = null;
    this.host.request(
      'stream.subscribe',
      this.wishes,
      (result) => {
        const {stream} = result as StreamSubscribeResult;
        const late = this.late;
        this.isSubscribing = false;
        this.late = null;
        if (this.isOver) {
          void this.unsubscribe(stream);
          return;
        }
        this.id = stream;
        this.parted = false;
        this.host.attach(stream, this);
        onStarted();
        if (late !== null) {
          this.set(late).catch((error: WeftError) => this.end(error.text));
        }
      },
      (error) => {
        this.isSubscribing = false;
        if (!this.isOver) {
          onError(error);
        }
      },
    );
  }

  // It is fine if the server says that the stream, or the connection, is gone already.
  private unsubscribe(stream: number): Promise<void> {
    return new Promise((resolve) => {
      this.host.request(
        'stream.unsubscribe',
        {stream},
        () => resolve(),
        () => resolve(),
      );
    });
  }

  private finish(): void {
    this.isOver = true;
    this.unpacker?.reset();
    clearTimeout(this.retryTimer);
    this.ackEnd();
    this.host.detach(this);
    this.host.forget(this);
    this.id = 0;
  }
}
