// The client: makes one connection after another, and keeps the state that outlives them.
//
//     connecting ─▶ open ◀─▶ lost ─▶ closed
//
// A link (link.ts) is one connection. When it goes down, the next attempt follows after a delay (delays.ts), and
// resumes the session if the server still has it: requests without an answer are answered or sent again, and missed
// notifications arrive. Listeners are told of `open` first, so that their calls (world.join) go out before the streams
// are subscribed again.
import {socketAddress} from './address.js';
import {LIMITS} from './api.generated.js';
import type {
  AccessAcceptParams,
  AccessAcceptResult,
  Method,
  Notification,
  SessionHelloParams,
  SessionHelloResult,
  StreamRecordsNotice,
  StreamSubscribeParams,
} from './api.generated.js';
import type {Codec} from './codec.js';
import {Delays} from './delays.js';
import {Emitter} from './emitter.js';
import {errorOf, WeftError} from './error.js';
import {Follow} from './follow.js';
import type {Trip} from './follow.js';
import {partOf} from './frame.js';
import {Link} from './link.js';
import {Requests} from './requests.js';
import {ClientStream} from './stream.js';
import type {StreamHost} from './stream.js';
import type {
  Client,
  ClientState,
  ConnectOptions,
  Delivered,
  Frame,
  SessionChange,
  Stats,
  Stream,
  StreamOptions,
  WebSocketLike,
} from './types.js';
import {Visit} from './visit.js';
import {encode, isLittleEndian} from './wire.js';

/** How long a server is away before another of its deployment is tried: by then its worlds run elsewhere soon, or it is
 *  back. */
const LAPSE_MS = 3_000;

/** A connection that lasted this long is a good one: after its loss the delay starts from the first value. */
const STEADY_MS = 5_000;

/** Room for the fields around a message's data. */
const ENVELOPE_BYTES = 1024;

type SocketClass = new (url: string) => WebSocketLike;

function socketClass(given: SocketClass | undefined): SocketClass {
  const found = given ?? (globalThis as {WebSocket?: SocketClass}).WebSocket;
  if (found === undefined) {
    throw new TypeError('connect: there is no WebSocket here; give the class of the package "ws" as WebSocket');
  }
  return found;
}

class WeftClient implements Client, StreamHost {
  state: ClientState = 'connecting';
  hello: SessionHelloResult | null = null;
  retryAt: number | null = null;
  lastError: WeftError | null = null;
  codec: Codec | null;
  private address: string;
  private readonly Socket: SocketClass;
  private readonly greeting: SessionHelloParams;
  private invitation: AccessAcceptParams | null;
  private readonly accepted: ((result: AccessAcceptResult) => void) | undefined;
  private readonly delays: Delays | null;
  private readonly counters = {bytesIn: 0, bytesOut: 0, messagesIn: 0, messagesOut: 0};
  private readonly states = new Emitter<[ClientState]>();
  private readonly changes = new Emitter<[SessionChange, readonly number[]]>();
  private readonly requests = new Requests();
  private readonly visit = new Visit();
  private readonly listeners = new Map<string, Emitter<[any]>>();
  private readonly streams = new Set<ClientStream>();
  private readonly streamsById = new Map<number, ClientStream>();
  private link: Link | null = null;
  /** Why it closed, unless close() was called. */
  private finalError: WeftError | null = null;
  private retryTimer: ReturnType<typeof setTimeout> | undefined;
  private wasOpen = false;
  private readonly follow: Follow | null;
  /** Addresses of the deployment's other servers, and how many attempts were made at them since lostAt. */
  private others: string[] = [];
  private tries = 0;
  private lostAt = 0;
  /** On the way to another server: the address it left, and the worlds it had joined there. */
  private way: {from: string; joined: [number, number][]} | null = null;
  private graceTimer: ReturnType<typeof setTimeout> | undefined;
  private readonly onOnline = () => this.retry();
  // A page that is left for good does not come back, but a suspended one may.
  private readonly onPageHide = (event: {persisted?: boolean}) => {
    if (event.persisted !== true) {
      this.notify('session.leave', {});
    }
  };

  constructor(options: ConnectOptions) {
    if (!isLittleEndian) {
      throw new TypeError('connect: this machine keeps the bytes of numbers in an order that is not supported');
    }
    this.codec = options.codec ?? null;
    this.address = socketAddress(options.url);
    this.Socket = socketClass(options.WebSocket);
    const {client, user, token, invite} = options;
    this.greeting = {client, user, token, arrays: 'ext', errors: 'map'} as SessionHelloParams;
    const {follow = true} = options;
    if (follow) {
      this.greeting.follow = true;
    }
    this.follow = follow ? this.follower() : null;
    this.invitation = invite === undefined ? null : {invite, user};
    this.accepted = options.accepted;
    const {reconnect = true} = options;
    this.delays = reconnect === false ? null : new Delays(reconnect === true ? {} : reconnect);
    globalThis.addEventListener?.('online', this.onOnline);
    globalThis.addEventListener?.('pagehide', this.onPageHide);
    this.open();
  }

  get latencyMs(): number | null {
    return this.link?.latencyMs ?? null;
  }

  get stats(): Stats {
    return {...this.counters};
  }

  onState(callback: (state: ClientState) => void): () => void {
    return this.states.add(callback);
  }

  get resumed(): boolean {
    return this.hello?.resumed === true;
  }

  onSession(callback: (change: SessionChange, rejoin: readonly number[]) => void): () => void {
    return this.changes.add(callback);
  }

  opened(): Promise<SessionHelloResult> {
    return new Promise((resolve, reject) => {
      const look = () => {
        if (this.state === 'open' && this.hello !== null) {
          resolve(this.hello);
        } else if (this.state === 'closed') {
          reject(this.finalError ?? this.closedError());
        } else {
          return false;
        }
        return true;
      };
      if (!look()) {
        const off = this.onState(() => look() && off());
      }
    });
  }

  async call(method: Method, params?: unknown): Promise<any> {
    if (method === 'session.hello') {
      return this.introduce(params as SessionHelloParams);
    }
    const document = method === 'world.open' ? (params as {document?: unknown} | undefined)?.document : undefined;
    if (document !== undefined) {
      params = await this.uploaded(params as object, encode(document));
    }
    return this.ask(method, params);
  }

  // Fields that are not given keep their values, and later connections begin with all of them.
  private async introduce(said: SessionHelloParams): Promise<SessionHelloResult> {
    const result = await this.ask('session.hello', {...this.greeting, ...said});
    Object.assign(this.greeting, said);
    return result;
  }

  // A document that is larger than a message is uploaded in pieces, and opened then.
  private async uploaded(params: object, document: Uint8Array): Promise<object> {
    const most = LIMITS.message_bytes.value - ENVELOPE_BYTES;
    if (document.byteLength <= most) {
      return params;
    }
    for (let offset = 0; offset < document.byteLength; offset += most) {
      await this.ask('world.upload', {offset, data: document.subarray(offset, offset + most)});
    }
    return {...params, document: undefined, upload: true};
  }

  private ask(method: Method, params?: unknown): Promise<any> {
    return new Promise((resolve, reject) => this.requestAny(method, params, resolve, reject));
  }

  notify(method: Method, params: unknown): boolean {
    if (this.state !== 'open' || this.link === null) {
      return false;
    }
    this.link.notify(method, params);
    return true;
  }

  on<N extends Notification>(notification: N, callback: (params: Delivered[N]) => void): () => void {
    let emitter = this.listeners.get(notification);
    if (emitter === undefined) {
      emitter = new Emitter();
      this.listeners.set(notification, emitter);
    }
    return emitter.add(callback);
  }

  subscribe(
    params: StreamSubscribeParams,
    onFrame: (frame: Frame) => void,
    onLag?: (droppedInAll: number) => void,
    options?: StreamOptions,
  ): Promise<Stream> {
    return this.start(new ClientStream(this, params, {...options, onFrame, onLag}));
  }

  subscribeRecords(
    world: number | string,
    onRecords: (notice: StreamRecordsNotice, receivedAt: number, bytes: number) => void,
  ): Promise<Stream> {
    return this.start(new ClientStream(this, {world, encoding: 'records'}, {onRecords}));
  }

  private start(stream: ClientStream): Promise<Stream> {
    return new Promise((resolve, reject) => {
      stream.start(() => {
        this.streams.add(stream);
        resolve(stream);
      }, reject);
    });
  }

  retry(): void {
    if (this.retryTimer !== undefined) {
      clearTimeout(this.retryTimer);
      this.open();
    }
  }

  close(): void {
    if (this.state === 'closed') {
      return;
    }
    const link = this.link;
    this.end(null);
    link?.close(this.closedError());
    this.requests.reject((method) => this.closedError(method));
    this.states.emit(this.state);
  }

  // StreamHost
  request(
    method: string,
    params: unknown,
    onResult: (result: unknown) => void,
    onError: (error: WeftError) => void,
  ): void {
    this.requestAny(method, params, onResult, onError);
  }

  attach(id: number, stream: ClientStream): void {
    this.streamsById.set(id, stream);
  }

  detach(stream: ClientStream): void {
    if (this.streamsById.get(stream.id) === stream) {
      this.streamsById.delete(stream.id);
    }
  }

  forget(stream: ClientStream): void {
    this.streams.delete(stream);
  }

  private requestAny(
    method: string,
    params: unknown,
    onResult: (result: unknown) => void,
    onError: (error: WeftError) => void,
    trip: Trip = {hops: 0, until: 0},
  ): void {
    if (this.state === 'closed') {
      onError(this.closedError(method));
    } else if (this.state === 'lost' || this.link === null) {
      const text = `${method} was not sent: ${this.lastError?.text ?? 'there is no connection'}`;
      onError(new WeftError({kind: 0, code: 'LOST', text}, method));
    } else {
      const refused = (error: WeftError) => {
        const again = () => this.requestAny(method, params, onResult, onError, trip);
        if (this.follow === null || !this.follow.takes(error, trip, again, onError)) {
          onError(error);
        }
      };
      this.link.request(method, params, this.visit.watch(method, params, onResult), refused);
    }
  }

  private follower(): Follow {
    return new Follow({
      holds: () => this.state === 'open' && (this.visit.holds || this.streamsById.size > 0),
      unanswered: () => (this.state === 'open' ? this.requests.underWay : 0),
      ping: (done) => {
        if (this.link === null) {
          done();
        } else {
          this.link.request('server.ping', undefined, done, done);
        }
      },
      move: (web) => this.move(web),
      stays: (why) => this.stays(why),
    });
  }

  // Goes to another server; calls made meanwhile wait for it.
  private move(web: string): void {
    const from = this.address;
    if (this.state === 'closed') {
      return;
    }
    let there: string;
    try {
      there = socketAddress(web);
    } catch {
      this.follow?.stay(`"${web}" is no address`);
      return;
    }
    // The token goes along, so it must not go to a place where others can read it.
    if (from.startsWith('wss:') && !there.startsWith('wss:')) {
      this.follow?.stay(`${web} does not speak TLS, and the connection so far does`);
      return;
    }
    const link = this.link;
    clearTimeout(this.retryTimer);
    clearTimeout(this.graceTimer);
    this.way = {from, joined: this.visit.parting};
    this.visit.end();
    [...this.streams].forEach((stream) => stream.suspend(true));
    this.link = null;
    this.address = there;
    this.state = 'connecting';
    link?.close(new WeftError({kind: 0, code: 'LOST', text: `gone to ${web}`}));
    this.open();
    this.states.emit(this.state);
  }

  private stays(why: string): void {
    [...this.streams].forEach((stream) => stream.parted && stream.end(`its world moved, and this client stays: ${why}`));
  }

  // Joins the worlds again, and then calls the listeners.
  private joinAgain(joined: readonly [number, number][]): void {
    const rejoin: number[] = [];
    let left = joined.length;
    const done = () => {
      if (left === 0 && this.state === 'open') {
        this.changes.emit('moved', rejoin);
      }
    };
    for (const [world, heard] of joined) {
      const joins = (revision: number) => {
        if (revision !== heard) {
          rejoin.push(world);
        }
        left -= 1;
        done();
      };
      this.requestAny(
        'world.join',
        {world},
        (result) => joins((result as {revision: number}).revision),
        () => joins(-1),
      );
    }
    if (left === 0) {
      done();
    }
  }

  private closedError(method?: string): WeftError {
    return new WeftError({kind: 0, code: 'CLOSED', text: 'the client is closed'}, method);
  }

  private open(): void {
    this.retryTimer = undefined;
    this.retryAt = null;
    this.tryAnother();
    const resumption = this.way === null ? this.visit.resumption(this.requests.unanswered()) : {};
    const greeting = {...this.greeting, ...resumption};
    const link = new Link(this.Socket, this.address, greeting, this.invitation, this.requests, this.counters, {
      accepted: (result) => {
        this.accept(result);
        Object.assign(greeting, this.greeting);
      },
      greeted: (hello) => this.greeted(hello),
      up: (hello) => this.up(hello),
      down: (error, final) => this.link === link && this.down(error, final),
      notification: (method, params, receivedAt, bytes) => this.deliver(method, params, receivedAt, bytes),
    });
    this.link = link;
  }

  // Tries another server on every second attempt, once it is likely that another runs the worlds of this one.
  private tryAnother(): void {
    if (this.state !== 'lost' || this.others.length === 0 || performance.now() - this.lostAt < LAPSE_MS) {
      return;
    }
    this.tries += 1;
    if (this.tries % 2 === 1) {
      this.way = {from: this.address, joined: this.visit.parting};
      this.address = this.others[((this.tries - 1) / 2) % this.others.length]!;
      [...this.streams].forEach((stream) => stream.suspend(true));
    }
  }

  // Notes the addresses of the other servers; if this connection uses TLS, only those with TLS.
  private note(hello: SessionHelloResult): void {
    const secure = this.address.startsWith('wss:');
    const others = this.follow === null ? [] : (hello.servers ?? []).filter(({here, web}) => !here && web !== '');
    try {
      this.others = others.map(({web}) => socketAddress(web)).filter((there) => !secure || there.startsWith('wss:'));
    } catch {
      this.others = []; // a malformed address
    }
  }

  // An invitation is accepted once: its token identifies the same person later.
  private accept(result: AccessAcceptResult | null): void {
    this.invitation = null;
    if (result !== null) {
      if (result.token !== '') {
        this.greeting.token = result.token;
      }
      this.accepted?.(result);
    }
  }

  // If the session before is gone, its calls are lost.
  private greeted(hello: SessionHelloResult): void {
    const before = this.hello;
    clearTimeout(this.graceTimer);
    this.hello = hello;
    this.visit.begin(hello);
    this.note(hello);
    if (!this.resumed && before !== null) {
      this.loseRequests('the session is gone, and nobody knows what became of it');
    }
    if (this.way !== null) {
      this.follow?.arrived();
    }
  }

  private loseRequests(why: string): void {
    this.requests.reject(
      (method) => new WeftError({kind: 0, code: 'LOST', text: `${method} has no answer: ${why}`}, method),
      (entry) => entry.sent,
    );
  }

  private up(hello: SessionHelloResult): void {
    const again = this.state === 'lost' && this.wasOpen;
    const way = this.way;
    this.way = null;
    this.wasOpen = true;
    this.state = 'open';
    this.states.emit(this.state);
    if (again && way === null) {
      this.changes.emit(this.resumed ? 'back' : 'anew', Array.from(hello.rejoin ?? []));
    }
    if (this.state === 'open') {
      [...this.streams].forEach((stream) => stream.id === 0 && stream.resume());
    }
    if (way !== null && this.state === 'open') {
      this.joinAgain(way.joined);
    }
  }

  private down(error: WeftError, final: boolean): void {
    const {link, delays, way} = this;
    const wasUp = this.state === 'open';
    this.lastError = error;
    if (wasUp) {
      this.lostAt = performance.now();
      this.tries = 0;
    }
    if (way !== null) {
      // The other server refused it: back to the first one, if that still exists.
      this.way = null;
      this.address = way.from;
      final = false;
    }
    [...this.streams].forEach((stream) => stream.suspend());
    if (final || delays === null) {
      this.end(error);
      this.requests.reject((method) => new WeftError({kind: error.kind, code: error.code, text: error.text}, method));
    } else {
      if (link !== null && link.upAt !== null && performance.now() - link.upAt > STEADY_MS) {
        delays.reset();
      }
      const delay = delays.next();
      this.link = null;
      this.state = 'lost';
      if (!this.visit.lasts) {
        const {kind, code, text} = error;
        this.requests.reject((method) => new WeftError({kind, code, text}, method));
      } else if (wasUp) {
        this.graceTimer = setTimeout(() => {
          this.visit.end();
          this.loseRequests('the connection was away for too long');
        }, this.visit.graceMs);
      }
      this.retryAt = performance.now() + delay;
      this.retryTimer = setTimeout(() => this.open(), delay);
    }
    if (way !== null) {
      this.follow?.stay(error.text);
    }
    this.states.emit(this.state);
    if (wasUp && this.state === 'lost') {
      this.changes.emit('away', []);
    }
  }

  private end(error: WeftError | null): void {
    this.finalError = error;
    this.state = 'closed';
    this.link = null;
    this.retryAt = null;
    clearTimeout(this.retryTimer);
    clearTimeout(this.graceTimer);
    this.retryTimer = undefined;
    [...this.streams].forEach((stream) => stream.suspend());
    this.streams.clear();
    globalThis.removeEventListener?.('online', this.onOnline);
    globalThis.removeEventListener?.('pagehide', this.onPageHide);
  }

  // Whether a stream is over here, but goes on elsewhere.
  private goesAlong(method: string, params: {stream?: number; web?: string}): boolean {
    const {web = ''} = params;
    if ((method !== 'stream.closed' && method !== 'world.changed') || web === '') {
      return false;
    }
    if (method === 'stream.closed') {
      this.streamsById.get(params.stream ?? 0)?.part();
    }
    this.follow?.told(web);
    return method === 'stream.closed';
  }

  private deliver(method: string, params: any, receivedAt: number, bytes: number): void {
    if (method === 'stream.frame') {
      const part = partOf(params, receivedAt);
      this.streamsById.get(part.stream)?.receive(part);
      return;
    }
    if (!this.visit.hear(method, params)) {
      return;
    }
    if (this.follow !== null && this.goesAlong(method, params)) {
      return;
    }
    if (method === 'stream.records') {
      this.streamsById.get(params.stream)?.told(params, receivedAt, bytes);
    }
    if (method === 'stream.lagged') {
      this.streamsById.get(params.stream)?.lagged(params.dropped);
    } else if (method === 'stream.closed') {
      this.streamsById.get(params.stream)?.end(params.reason);
    } else if (method === 'error') {
      params = {...params, error: errorOf(params.error)};
    }
    this.listeners.get(method)?.emit(params);
  }
}

/**
 * Begins to connect, and returns at once: `Client.state` shows the progress. Throws a TypeError if `url` is not an
 * address, or there is no WebSocket.
 */
export function connect(options: ConnectOptions): Client {
  return new WeftClient(options);
}
