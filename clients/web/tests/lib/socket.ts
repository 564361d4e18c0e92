// A WebSocket without a network, for what a real server cannot be made to do at will: be silent, be slow to send,
// say nonsense. The test plays the server.
import type {WebSocketLike} from '../../src/lib/types.js';
import {decode, encode} from '../../src/lib/wire.js';

export type Request = [kind: number, msgid: number, method: string, params: Record<string, any>[]];

export const HELLO = {
  session: 7,
  name: 'weft',
  version: '0.1.0',
  api_level: 2,
  api_compatible: 1,
  user: '',
  arrays: 'ext',
  errors: 'map',
};

export class ScriptedSocket implements WebSocketLike {
  binaryType = 'blob';
  readyState = 0;
  bufferedAmount = 0;
  onopen: ((event: any) => void) | null = null;
  onmessage: ((event: any) => void) | null = null;
  onclose: ((event: any) => void) | null = null;
  onerror: ((event: any) => void) | null = null;
  closedWith: number | null = null;
  terminated = false;
  readonly sent: unknown[] = [];

  constructor(readonly url: string) {}

  send(data: Uint8Array): void {
    this.sent.push(decode(data.slice()));
  }

  close(code = 1000): void {
    this.closedWith = code;
    this.readyState = 3;
  }

  terminate(): void {
    this.terminated = true;
  }

  // What the server does.
  open(): void {
    this.readyState = 1;
    this.onopen?.({});
  }

  fail(code = 1006, reason = '', message?: string): void {
    if (message !== undefined) {
      this.onerror?.({message});
    }
    this.readyState = 3;
    this.onclose?.({code, reason});
  }

  say(message: unknown): void {
    this.onmessage?.({data: encode(message).slice().buffer});
  }

  /** The last request of a method, if it was sent. */
  request(method: string): Request | undefined {
    return (this.sent as Request[]).filter((one) => one[0] === 0 && one[2] === method).at(-1);
  }

  answer(method: string, result: unknown, error: unknown = null): void {
    const request = this.request(method);
    if (request === undefined) {
      throw new Error(`${method} was not sent`);
    }
    this.say([1, request[1], error, result]);
  }

  greet(): void {
    this.open();
    this.answer('session.hello', HELLO);
  }
}

/** A class for ConnectOptions.WebSocket that keeps what it made. */
export function scriptedSockets(): {
  made: ScriptedSocket[];
  last: () => ScriptedSocket;
  WebSocket: typeof ScriptedSocket;
} {
  const made: ScriptedSocket[] = [];
  return {
    made,
    last: () => made.at(-1)!,
    WebSocket: class extends ScriptedSocket {
      constructor(url: string) {
        super(url);
        made.push(this);
      }
    },
  };
}
