// One connection: the socket, session.hello, requests and their answers, and the check that the other end is alive.
//
//     connecting ──onopen──▶ greeting ──hello answered──▶ up ──▶ down
//
// Requests made before it is up are encoded and wait, and go out in their order. It goes down once, whatever the
// reason, and rejects the requests that concern this connection alone (requests.ts); the client decides about the
// others. Answers call back at once, before the next message is read, so that a stream gets its first frames.
import {API_LEVEL, LIMITS} from './api.generated.js';
import type {AccessAcceptParams, AccessAcceptResult, SessionHelloParams, SessionHelloResult} from './api.generated.js';
import {errorOf, WeftError} from './error.js';
import type {Requests} from './requests.js';
import type {WebSocketLike} from './types.js';
import {decodeMessage, encodeNotification, encodeRequest} from './wire.js';

const OPEN = 1; // readyState of WebSockets
/** The socket must open and session.hello be answered within this time. */
const OPEN_MS = 10_000;
const PING_MS = 2_000;
/** If nothing was heard for this long although a ping waits for its answer, the connection counts as lost. */
const DEAD_MS = 15_000;
/** Weight of the newest round trip in the average. */
const LATENCY_WEIGHT = 0.25;

export interface Counters {
  bytesIn: number;
  bytesOut: number;
  messagesIn: number;
  messagesOut: number;
}

export interface LinkEvents {
  /** The result of the invitation; null if the server asks for no tokens. */
  accepted(result: AccessAcceptResult | null): void;
  /** Before anything else is sent or comes. */
  greeted(hello: SessionHelloResult): void;
  up(hello: SessionHelloResult): void;
  /** `final`: trying again would end the same way. */
  down(error: WeftError, final: boolean): void;
  notification(method: string, params: unknown, receivedAt: number, bytes: number): void;
}

function lost(text: string): WeftError {
  return new WeftError({kind: 0, code: 'LOST', text});
}

export class Link {
  latencyMs: number | null = null;
  /** When it came up, by performance.now(). */
  upAt: number | null = null;
  private readonly socket: WebSocketLike;
  private isDown = false;
  private opened = false;
  private failure = '';
  private timer: ReturnType<typeof setTimeout> | undefined;
  private heardAt = 0;
  private checkedAt = 0;
  private bufferedThen = 0;
  private pingWaits = false;

  constructor(
    Socket: new (url: string) => WebSocketLike,
    private readonly address: string,
    private readonly greeting: SessionHelloParams,
    private readonly invitation: AccessAcceptParams | null,
    private readonly requests: Requests,
    private readonly counters: Counters,
    private readonly events: LinkEvents,
  ) {
    const socket = new Socket(address);
    this.socket = socket;
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => this.greet();
    socket.onmessage = (event: {data: unknown}) => this.receive(event.data);
    socket.onerror = (event: {message?: unknown}) => {
      // Browsers do not tell what went wrong; `ws` does.
      this.failure = typeof event?.message === 'string' ? event.message : '';
    };
    socket.onclose = (event: {code?: number; reason?: string}) => this.closed(event);
    this.timer = setTimeout(() => this.giveUp(`${address} did not answer in ${OPEN_MS / 1000} s`), OPEN_MS);
  }

  /** Calls back exactly once, unless it throws, which it does where the parameters cannot be encoded. */
  request(
    method: string,
    params: unknown,
    onResult: (result: unknown) => void,
    onError: (error: WeftError) => void,
  ): void {
    if (this.isDown) {
      onError(lost(`${method} was not sent: the connection is gone`));
      return;
    }
    const id = this.requests.takeId();
    const bytes = encodeRequest(id, method, params);
    const limit = LIMITS.message_bytes.value;
    if (bytes.byteLength > limit) {
      const text = `${method}: ${bytes.byteLength} bytes; the limit message_bytes is ${limit}`;
      onError(new WeftError({kind: 1, code: 'LIMIT', text, limit}, method));
      return;
    }
    const own = method === 'server.ping' || method.startsWith('stream.');
    this.requests.add(id, {method, bytes, own, onResult, onError}, this.upAt !== null);
    if (this.upAt !== null) {
      this.send(bytes);
    }
  }

  notify(method: string, params: unknown): void {
    this.send(encodeNotification(method, params));
  }

  /** Ends the connection and its session; nothing is called back after that. */
  close(error: WeftError): void {
    if (this.upAt !== null && !this.isDown) {
      this.notify('session.leave', {});
    }
    this.goDown(error, true, false);
  }

  // The other end is silent, and would not answer a close either.
  private giveUp(text: string): void {
    this.goDown(lost(text));
    this.socket.terminate?.();
  }

  // A socket that is closing takes nothing any more: what was asked meanwhile waits for what its end says.
  private send(bytes: Uint8Array): void {
    if (this.socket.readyState !== OPEN) {
      return;
    }
    this.counters.bytesOut += bytes.byteLength;
    this.counters.messagesOut += 1;
    this.socket.send(bytes);
  }

  private greet(): void {
    this.opened = true;
    if (this.invitation === null) {
      this.hello();
      return;
    }
    this.ask(
      'access.accept',
      this.invitation,
      (result) => {
        this.events.accepted(result as AccessAcceptResult);
        this.hello();
      },
      (error) => {
        // The server asks for no tokens, or is too old to know them; but a name that is in use is reported.
        if (['CONFLICT', 'NOT_FOUND'].includes(error.code) && !error.text.startsWith('user:')) {
          this.events.accepted(null);
          this.hello();
        } else {
          this.goDown(error, error.kind === 1 && error.code !== 'LIMIT');
        }
      },
    );
  }

  private hello(): void {
    this.ask(
      'session.hello',
      this.greeting,
      (result) => this.come(result as SessionHelloResult),
      (error) => {
        // The same greeting would be refused again, unless the server is only full.
        const final = error.kind === 1 && !['LOST', 'CLOSED', 'BUSY', 'LIMIT'].includes(error.code);
        this.goDown(error, final);
      },
    );
  }

  // Sends a request of this connection alone, before it is up.
  private ask(
    method: string,
    params: unknown,
    onResult: (result: unknown) => void,
    onError: (error: WeftError) => void,
  ): void {
    const id = this.requests.takeId();
    const bytes = encodeRequest(id, method, params);
    this.requests.add(id, {method, bytes, own: true, onResult, onError}, true);
    this.send(bytes);
  }

  private come(hello: SessionHelloResult): void {
    if (hello.api_compatible > API_LEVEL) {
      const text =
        `the server (${hello.name} ${hello.version}) speaks API levels from ${hello.api_compatible} on; ` +
        `this library speaks ${API_LEVEL}`;
      this.goDown(new WeftError({kind: 1, code: 'VERSION', text}), true);
      return;
    }
    clearTimeout(this.timer);
    const now = performance.now();
    this.upAt = now;
    this.heardAt = now;
    this.checkedAt = now;
    this.timer = setInterval(() => this.check(), PING_MS);
    this.events.greeted(hello);
    this.requests.due(hello.lost ?? []).forEach((bytes) => this.send(bytes));
    this.ping();
    this.events.up(hello);
  }

  private ping(): void {
    const sentAt = performance.now();
    this.pingWaits = true;
    this.request(
      'server.ping',
      undefined,
      () => {
        this.pingWaits = false;
        const ms = performance.now() - sentAt;
        this.latencyMs = this.latencyMs === null ? ms : this.latencyMs + LATENCY_WEIGHT * (ms - this.latencyMs);
      },
      () => {
        this.pingWaits = false;
      },
    );
  }

  // Large messages that are still being sent, and a program that did not run for a while, are not signs of a dead
  // connection.
  private check(): void {
    const now = performance.now();
    const slept = now - this.checkedAt > 3 * PING_MS;
    const sending = this.socket.bufferedAmount < this.bufferedThen;
    this.checkedAt = now;
    this.bufferedThen = this.socket.bufferedAmount;
    if (slept || sending) {
      this.heardAt = now;
    }
    if (!this.pingWaits) {
      this.ping();
    } else if (now - this.heardAt > DEAD_MS) {
      this.giveUp(`nothing came from ${this.address} for ${DEAD_MS / 1000} s`);
    }
  }

  private receive(data: unknown): void {
    const receivedAt = performance.now();
    this.heardAt = receivedAt;
    try {
      if (!(data instanceof ArrayBuffer)) {
        throw new TypeError('a message that is not binary');
      }
      this.counters.bytesIn += data.byteLength;
      this.counters.messagesIn += 1;
      const message = decodeMessage(data);
      if (message.kind === 'notification') {
        if (message.method === 'error') {
          this.noteError(message.params);
        }
        this.events.notification(message.method, message.params, receivedAt, data.byteLength);
        return;
      }
      const pending = this.requests.take(message.msgid);
      if (pending === undefined) {
        return;
      }
      if (message.error === null || message.error === undefined) {
        pending.onResult(message.result);
      } else {
        pending.onError(errorOf(message.error, pending.method));
      }
    } catch (error) {
      this.goDown(lost(`what came from ${this.address} is no message of weft's: ${(error as Error).message}`));
    }
  }

  // A server sends an error without a method just before it closes the connection.
  private noteError(params: unknown): void {
    const fields = params as {error?: unknown; method?: unknown} | null;
    if (fields?.method === '') {
      this.failure = errorOf(fields.error).text;
    }
  }

  private closed(event: {code?: number; reason?: string}): void {
    const said = event.reason || this.failure;
    const why = said ? `${said} (code ${event.code})` : `code ${event.code}`;
    this.goDown(
      lost(
        this.opened ? `the connection to ${this.address} was lost: ${why}` : `no connection to ${this.address}: ${why}`,
      ),
    );
  }

  private goDown(error: WeftError, final = false, tell = true): void {
    if (this.isDown) {
      return;
    }
    this.isDown = true;
    clearTimeout(this.timer);
    clearInterval(this.timer);
    const socket = this.socket;
    socket.onopen = null;
    socket.onmessage = null;
    socket.onclose = null;
    // `ws` throws an error that has no listener.
    socket.onerror = () => {};
    socket.close(1000);
    const {kind, code, text} = error;
    this.requests.reject(
      (method) => new WeftError({kind, code, text}, method),
      (entry) => entry.own,
    );
    if (tell) {
      this.events.down(error, final);
    }
  }
}
