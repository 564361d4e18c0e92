// The face of the library: what connect() takes and gives.
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
  /** Ends a connection that does not answer; `ws` alone has it. */
  terminate?(): void;
}

export interface ReconnectOptions {
  /** Before the first attempt; it doubles with each that fails. Default 250. */
  firstDelayMs?: number;
  /** It grows no further. Default 10000. */
  maxDelayMs?: number;
}

export interface ConnectOptions {
  /** ws://HOST:PORT/ws, or wss://. */
  url: string;
  /** Name of the program, for others to see. */
  client?: string;
  /** Name of the person, for others to see. */
  user?: string;
  /** Who one is, for servers that ask for tokens (weftd --tokens). */
  token?: string;
  /**
   * An invitation (access.invite), accepted before anything else: who has no token becomes a person by it. What came of it
   * goes to `accepted`; a token of it is shown from then on. Servers that ask for no tokens take none.
   */
  invite?: string;
  accepted?: (result: AccessAcceptResult) => void;
  /** Whether to connect again when the connection is lost. Default true. */
  reconnect?: boolean | ReconnectOptions;
  /**
   * Whether to go to the server that runs the world that is asked for, where several share them, and along when it moves, with
   * what was joined and streamed. A client is at one server at a time; where something else holds it, calls are refused with
   * MOVED. Default true.
   */
  follow?: boolean;
  /** Reads the encodings q16 and delta of streams: `await loadCodec(…)`, of weft-codec.wasm. Without it they cannot be had. */
  codec?: Codec;
  /** In Node before 22: the class of the package `ws`. Default: globalThis.WebSocket. */
  WebSocket?: new (url: string) => WebSocketLike;
}

/**
 * connecting: for the first time. open: calls go out. lost: the connection is gone or was refused, and the next
 * attempt is due (`Client.retryAt`). closed: for good, by close(), or because `reconnect` is false.
 */
export type ClientState = 'connecting' | 'open' | 'lost' | 'closed';

/**
 * away: the connection is lost, and the session may be gone on with. back: it is gone on with; grabs are what they were, what
 * worlds told meanwhile comes now, and worlds of which too much was missed are to be joined anew. anew: it is another session:
 * all is to be joined anew. moved: the world is at another server, and so is this client, in another session; what was joined is
 * so again, and in the worlds that are named something was changed on the way.
 */
export type SessionChange = 'away' | 'back' | 'anew' | 'moved';

/** The arrays of one body, or of `count` of its particles from `first` on: 3 numbers (x, y, z) a particle. They
 * are views into the message and stay valid for as long as anybody holds them. Those not asked for are absent. */
export interface Chunk {
  readonly body: number;
  readonly first: number;
  readonly count: number;
  readonly positions?: Float32Array;
  readonly positions64?: Float64Array;
  readonly velocities?: Float32Array;
  readonly normals?: Float32Array;
  /** Vertices `first`, `first + 1`, … of the body's skin; then there is no other array. */
  readonly skin?: Float32Array;
}

/** One moment of a world: `substep` substeps of the tick after `tick` completed ones. */
export interface Frame {
  readonly world: number;
  readonly tick: number;
  readonly substep: number;
  /** tick / tick_rate, in seconds. */
  readonly time: number;
  /** Edits that it contains. */
  readonly revision: number;
  /**
   * Where several servers share worlds: counts those that have run this one, in turn. Of two frames the one of the later epoch is what
   * holds.
   */
  readonly epoch?: number;
  /** Counts from 1 the frames of this stream since it was subscribed, or subscribed again after a reconnect. */
  readonly seq: number;
  /** Left out since the last frame, because this client was slow; or, of compressed ones, because they could not be read. */
  readonly dropped: number;
  /**
   * Of the first frame since the stream began anew, as it does when its world moved or the connection was lost: tick of the last one
   * before. What lies between was not sent.
   */
  readonly after?: number;
  /** When its last part came: performance.now(), in milliseconds. */
  readonly receivedAt: number;
  /** How positions came, if they were compressed; here they are floats again. */
  readonly encoding?: 'q16' | 'delta';
  /** By how much a coordinate may be off at most, in metres, where `encoding` is delta. */
  readonly tolerance?: number;
  /** If not all: only vertices 0, nth, 2 nth, … are there, and are what chunks count. */
  readonly nth?: number;
  /** A body above 256 KiB comes in several chunks. */
  readonly bodies: readonly Chunk[];
  readonly measures?: Measures;
  readonly grabs?: readonly GrabSummary[];
  /** Those that motions move. */
  readonly colliders?: readonly ColliderPose[];
  /** Of contact between bodies. */
  readonly contact?: Contact;
  /** Where bodies met in the last whole tick. */
  readonly contacts?: Contacts;
  /**
   * Of a twin whose client pulls at something (`Twin.hold`): what may be drawn in place of `bodies` and `colliders`, so many ticks
   * later, with what is still on its way to the server. A guess.
   */
  readonly ahead?: Pick<Frame, 'bodies' | 'colliders'> & {readonly ticks: number};
}

/** What body.get told of a body. */
export type KnownBody = Pick<
  BodyGetResult,
  'kind' | 'particles' | 'positions' | 'triangles' | 'tets' | 'edges' | 'elements_hash'
> & {readonly skin?: Pick<NonNullable<BodyGetResult['skin']>, 'particles' | 'triangles'> | undefined};

export interface StreamOptions {
  /** What is known of a body, for delta; null where nothing is, and where this is not given: then body.get is called. */
  readonly body?: (body: number) => KnownBody | null;
}

export interface Stream {
  /** The server's id of it; another one after a reconnect. 0 while it is not subscribed. */
  readonly id: number;
  /** Frames received, and frames left out because this client was slow, since subscribe(). */
  readonly frames: number;
  readonly dropped: number;
  /** Changes it; absent fields stay. Holds after a reconnect too. */
  set(changes: Omit<StreamSetParams, 'stream'>): Promise<void>;
  /** Ends it. No frame is delivered after the call. */
  close(): Promise<void>;
  /** Why the server ended it, if it did (its world was deleted, say). The stream is over then. */
  onClosed(callback: (reason: string) => void): () => void;
}

export interface Stats {
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly messagesIn: number;
  readonly messagesOut: number;
}

/** What on() delivers: as generated, but the error of `error` is a WeftError. */
export interface Delivered extends Omit<Notifications, 'error'> {
  error: {readonly error: WeftError; readonly method: string};
}

/** Methods whose parameters may all be left out. */
export type MethodWithoutParams = {[M in Method]: {} extends Params[M] ? M : never}[Method];

export interface Client {
  readonly state: ClientState;
  /** What session.hello answered; null before it did. */
  readonly hello: SessionHelloResult | null;
  /** Round trip of server.ping, averaged; null before the first. */
  readonly latencyMs: number | null;
  /** When the next attempt to connect is due, by performance.now(); null unless `state` is 'lost'. */
  readonly retryAt: number | null;
  /** Why the connection was lost or refused last; null if it never was. */
  readonly lastError: WeftError | null;
  readonly stats: Stats;

  /** Reads the encodings q16 and delta: as connect() was given it, or as it is set later. null: they cannot be had. */
  codec: Codec | null;

  /** Whether the connection there is goes on with the session of the one before. */
  readonly resumed: boolean;

  /** Calls back when the connection is lost and when there is another, after onState; with the worlds to be joined anew. */
  onSession(callback: (change: SessionChange, rejoin: readonly number[]) => void): () => void;
  /** Calls back at each change of `state`, and with 'lost' after each further attempt that failed. */
  onState(callback: (state: ClientState) => void): () => void;
  /** Resolves once `state` is 'open', rejects when it is 'closed'. */
  opened(): Promise<SessionHelloResult>;

  /**
   * Calls a method. While connecting for the first time, calls wait for the connection; while it is lost they
   * are rejected at once, with code LOST. Those that were under way when it was lost are answered once the session goes on,
   * and rejected with LOST if it cannot be gone on with.
   */
  call<M extends MethodWithoutParams>(method: M, params?: Params[M]): Promise<Results[M]>;
  call<M extends Method>(method: M, params: Params[M]): Promise<Results[M]>;

  /** Sends without an answer (grab.move, for example); dropped unless `state` is 'open'. Says whether it went. */
  notify<M extends Method>(method: M, params: Params[M]): boolean;

  /** Calls back at each notification of that name. The function that it returns ends that. */
  on<N extends Notification>(notification: N, callback: (params: Delivered[N]) => void): () => void;

  /** Frames from now on, beginning with the present state. Is subscribed again by itself after a reconnect. */
  subscribe(
    params: StreamSubscribeParams,
    onFrame: (frame: Frame) => void,
    onLag?: (droppedInAll: number) => void,
    options?: StreamOptions,
  ): Promise<Stream>;

  /**
   * What decides the future of a world, from now on, beginning with an image of it (docs/concepts/twins.md); with when a
   * message came, by performance.now(), and its size. For twins: `openTwin` runs one. Is subscribed again by itself after a
   * reconnect, and an image comes then.
   */
  subscribeRecords(
    world: number | string,
    onRecords: (notice: StreamRecordsNotice, receivedAt: number, bytes: number) => void,
  ): Promise<Stream>;

  /** Tries to connect at once, rather than when the delay is over. */
  retry(): void;
  /** Ends the connection for good. */
  close(): void;
}
