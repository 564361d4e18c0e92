// The interface of the library: the arguments and results of connect().
import type {
  AccessAcceptResult,
  BodyGetResult,
  ColliderPose,
  Contact,
  Contacts,
  GrabSummary,
  Measures,
  Method,
  Notification,
  Notifications,
  Params,
  Results,
  SessionHelloResult,
  StreamRecordsNotice,
  StreamSetParams,
  StreamSubscribeParams,
} from './api.generated.js';
import type {Codec} from './codec.js';
import type {WeftError} from './error.js';

/** The part of a browser's WebSocket that is used; the class of npm's `ws` has it too. */
export interface WebSocketLike {
  binaryType: string;
  readonly readyState: number;
  readonly bufferedAmount: number;
  onopen: ((event: any) => void) | null;
  onmessage: ((event: any) => void) | null;
  onclose: ((event: any) => void) | null;
  onerror: ((event: any) => void) | null;
  send(data: Uint8Array): void;
  close(code?: number, reason?: string): void;
  /** Ends a connection that does not answer; only `ws` has it. */
  terminate?(): void;
}

export interface ReconnectOptions {
  /** Delay before the first attempt, in ms; it doubles with each failed attempt. Default 250. */
  firstDelayMs?: number;
  /** Greatest delay, in ms. Default 10000. */
  maxDelayMs?: number;
}

export interface ConnectOptions {
  /** ws://HOST:PORT/ws, or wss://. */
  url: string;
  /** Name of the program, which others see. */
  client?: string;
  /** Name of the person, which others see. */
  user?: string;
  /** The person's token, for servers that ask for tokens (weftd --tokens). */
  token?: string;
  /**
   * An invitation (access.invite), which is accepted first: it gives a token to a person without one. The result goes
   * to `accepted`; its token is used from then on. Servers that ask for no tokens ignore it.
   */
  invite?: string;
  accepted?: (result: AccessAcceptResult) => void;
  /** Whether to connect again when the connection is lost. Default true. */
  reconnect?: boolean | ReconnectOptions;
  /**
   * Whether to follow worlds, if several servers share them: the client goes to the server that runs the world that it
   * asks for, and along when that moves, with the worlds it joined and its streams. A client is at one server at a
   * time; if something else holds it, calls are refused with MOVED. Default true.
   */
  follow?: boolean;
  /** Decodes the encodings q16 and delta of streams: `await loadCodec(…)` of weft-codec.wasm. Without it they are not
   *  available. */
  codec?: Codec;
  /** In Node before 22: the class of the package `ws`. Default: globalThis.WebSocket. */
  WebSocket?: new (url: string) => WebSocketLike;
}

/**
 * connecting: for the first time. open: calls can be made. lost: the connection is gone or was refused, and the next
 * attempt will come (`Client.retryAt`). closed: for good, by close(), or because `reconnect` is false.
 */
export type ClientState = 'connecting' | 'open' | 'lost' | 'closed';

/**
 * away: the connection is lost, and the session may be resumed. back: the session is resumed: grabs hold, missed
 * notifications arrive. Join the named worlds again, because too much of them was missed. anew: the session is lost, and
 * this is a new one. Join all worlds again. moved: the world and this client are at another server, in another session.
 * Joined worlds were joined again, and the named ones changed on the way.
 */
export type SessionChange = 'away' | 'back' | 'anew' | 'moved';

/** The arrays of one body, or of `count` of its particles from `first` on: 3 numbers (x, y, z) for each particle. They
 *  are views into the message and stay valid as long as they are referenced. Arrays that were not requested are absent. */
export interface Chunk {
  readonly body: number;
  readonly first: number;
  readonly count: number;
  readonly positions?: Float32Array;
  readonly positions64?: Float64Array;
  readonly velocities?: Float32Array;
  readonly normals?: Float32Array;
  /** Unit quaternions x, y, z, w, 4 numbers for each particle; four zeros for one that has no orientation. Absent in bodies
   *  without orientations. */
  readonly rotations?: Float32Array;
  /** The same, exact: whole multiples of 2⁻³⁰. */
  readonly rotations64?: Float64Array;
  /** Vertices `first`, `first + 1`, … of the body's skin; a chunk with a skin has no other array. */
  readonly skin?: Float32Array;
}

/** One moment of a world: `substep` substeps of the tick after `tick` completed ones. */
export interface Frame {
  readonly world: number;
  readonly tick: number;
  readonly substep: number;
  /** tick / tick_rate, in seconds. */
  readonly time: number;
  /** Number of edits that it includes. */
  readonly revision: number;
  /**
   * Counts the servers that have run this world, if several servers share worlds. Of two frames, the one with the
   * later epoch is valid.
   */
  readonly epoch?: number;
  /** Number of the frame, from 1, since the stream was subscribed, or subscribed again after a reconnect. */
  readonly seq: number;
  /** Frames left out since the last one because this client was slow, or because compressed frames could not be
   *  decoded. */
  readonly dropped: number;
  /**
   * Only in the first frame after a restart of the stream, when its world moved or the connection was lost: the tick
   * of the last frame before. Frames in between were not sent.
   */
  readonly after?: number;
  /** performance.now() when its last part came, in ms. */
  readonly receivedAt: number;
  /** The encoding of positions, if they were compressed; here they are floats again. */
  readonly encoding?: 'q16' | 'delta';
  /** Greatest error of a coordinate in metres, if `encoding` is delta. */
  readonly tolerance?: number;
  /** Only vertices 0, nth, 2 nth, … are present, and chunks count these. Absent: all. */
  readonly nth?: number;
  /** A body above 256 KiB comes in several chunks. */
  readonly bodies: readonly Chunk[];
  readonly measures?: Measures;
  readonly grabs?: readonly GrabSummary[];
  /** The colliders that motions move. */
  readonly colliders?: readonly ColliderPose[];
  /** Summary of contact between bodies. */
  readonly contact?: Contact;
  /** Contact points in the last whole tick. */
  readonly contacts?: Contacts;
  /** Ids of the bodies that sleep, ascending. Absent if none does, or if it was not asked for. */
  readonly asleep?: readonly number[];
  /**
   * Only from a twin whose client drags something (`Twin.hold`): a prediction, `ticks` ticks later, which includes
   * movements that are still on their way to the server. It may be drawn instead of `bodies` and `colliders`.
   */
  readonly ahead?: Pick<Frame, 'bodies' | 'colliders'> & {readonly ticks: number};
}

/** The answer of body.get. */
export type KnownBody = Pick<
  BodyGetResult,
  'kind' | 'particles' | 'positions' | 'triangles' | 'tets' | 'edges' | 'elements_hash'
> & {readonly skin?: Pick<NonNullable<BodyGetResult['skin']>, 'particles' | 'triangles'> | undefined};

export interface StreamOptions {
  /** Returns the known topology of a body, for delta, or null. If it is null, or this is not given, body.get is called. */
  readonly body?: (body: number) => KnownBody | null;
}

export interface Stream {
  /** The server's id of the stream, which changes after a reconnect. 0 while it is not subscribed. */
  readonly id: number;
  /** Frames received, and frames left out because this client was slow, since subscribe(). */
  readonly frames: number;
  readonly dropped: number;
  /** Changes options; absent fields stay. They also apply after a reconnect. */
  set(changes: Omit<StreamSetParams, 'stream'>): Promise<void>;
  /** Ends the stream. No frame is delivered after the call. */
  close(): Promise<void>;
  /** Calls back with the reason if the server ended the stream (because its world was deleted, for example). */
  onClosed(callback: (reason: string) => void): () => void;
}

export interface Stats {
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly messagesIn: number;
  readonly messagesOut: number;
}

/** The parameters that on() delivers: as generated, except that the error of `error` is a WeftError. */
export interface Delivered extends Omit<Notifications, 'error'> {
  error: {readonly error: WeftError; readonly method: string};
}

/** Methods whose parameters are all optional. */
export type MethodWithoutParams = {[M in Method]: {} extends Params[M] ? M : never}[Method];

export interface Client {
  readonly state: ClientState;
  /** The answer of session.hello; null before it came. */
  readonly hello: SessionHelloResult | null;
  /** Average round trip of server.ping in ms; null before the first. */
  readonly latencyMs: number | null;
  /** Time of the next attempt to connect, by performance.now(); null unless `state` is 'lost'. */
  readonly retryAt: number | null;
  /** The reason of the last loss or refusal of the connection; null if there was none. */
  readonly lastError: WeftError | null;
  readonly stats: Stats;

  /** Decodes the encodings q16 and delta: given to connect(), or set later. null: they are not available. */
  codec: Codec | null;

  /** Whether the present connection resumed the session of the one before. */
  readonly resumed: boolean;

  /** Calls back when the connection is lost and when there is another, after onState, with the worlds to join again. */
  onSession(callback: (change: SessionChange, rejoin: readonly number[]) => void): () => void;
  /** Calls back at each change of `state`, and with 'lost' after each further attempt that failed. */
  onState(callback: (state: ClientState) => void): () => void;
  /** Resolves once `state` is 'open', rejects when it is 'closed'. */
  opened(): Promise<SessionHelloResult>;

  /**
   * Calls a method. During the first attempt to connect, calls wait for the connection. While the connection is lost
   * they are rejected at once with code LOST. Calls that were under way at the loss are answered when the session is
   * resumed, or else rejected with LOST.
   */
  call<M extends MethodWithoutParams>(method: M, params?: Params[M]): Promise<Results[M]>;
  call<M extends Method>(method: M, params: Params[M]): Promise<Results[M]>;

  /** Sends without an answer (grab.move, for example); does nothing unless `state` is 'open'. Returns whether it was
   *  sent. */
  notify<M extends Method>(method: M, params: Params[M]): boolean;

  /** Calls back at each notification of that name. Returns a function that removes the callback. */
  on<N extends Notification>(notification: N, callback: (params: Delivered[N]) => void): () => void;

  /** Delivers frames from now on, beginning with the present state. After a reconnect the stream is subscribed again. */
  subscribe(
    params: StreamSubscribeParams,
    onFrame: (frame: Frame) => void,
    onLag?: (droppedInAll: number) => void,
    options?: StreamOptions,
  ): Promise<Stream>;

  /**
   * Delivers the records that decide the future of a world, beginning with an image of it (docs/concepts/twins.md),
   * each with the performance.now() of its arrival and its size. For twins: `openTwin` runs one. After a reconnect the
   * stream is subscribed again, and another image comes.
   */
  subscribeRecords(
    world: number | string,
    onRecords: (notice: StreamRecordsNotice, receivedAt: number, bytes: number) => void,
  ): Promise<Stream>;

  /** Tries to connect now, without waiting for the delay. */
  retry(): void;
  /** Ends the connection for good. */
  close(): void;
}
