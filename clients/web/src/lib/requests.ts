// Requests without an answer: they belong to the session, and outlive a lost connection if the session is resumed.
//
//     made ──up──▶ sent ──▶ answered
//                  │  ▲
//     connection lost  └── the server says it is lost: sent again, unchanged and under its id
//
// Ids ascend in the order in which requests are made. Requests that concern the connection alone (session.hello, pings,
// streams) end with it.
import type {WeftError} from './error.js';

export interface Pending {
  readonly method: string;
  readonly bytes: Uint8Array;
  /** Ends with the connection. */
  readonly own: boolean;
  readonly onResult: (result: unknown) => void;
  readonly onError: (error: WeftError) => void;
}

interface Entry extends Pending {
  sent: boolean;
}

export class Requests {
  private readonly entries = new Map<number, Entry>();
  private nextId = 1;

  takeId(): number {
    let id = this.nextId;
    while (this.entries.has(id)) {
      id = (id + 1) >>> 0;
    }
    this.nextId = (id + 1) >>> 0;
    return id;
  }

  add(id: number, pending: Pending, sent: boolean): void {
    this.entries.set(id, {...pending, sent});
  }

  /** Removes and returns the request with this id. */
  take(id: number): Pending | undefined {
    const entry = this.entries.get(id);
    this.entries.delete(id);
    return entry;
  }

  /** Ids of the requests that were sent, in their order. */
  unanswered(): number[] {
    return [...this.entries].filter(([, entry]) => entry.sent && !entry.own).map(([id]) => id);
  }

  /** Number of requests that were sent, without pings. */
  get underWay(): number {
    return [...this.entries.values()].filter((entry) => entry.sent && entry.method !== 'server.ping').length;
  }

  /** The messages to send now: the lost ones again, and all that were never sent. */
  due(lost: Iterable<number>): Uint8Array[] {
    const again = new Set(lost);
    const found: Uint8Array[] = [];
    for (const [id, entry] of this.entries) {
      if (!entry.sent || (!entry.own && again.has(id))) {
        entry.sent = true;
        found.push(entry.bytes);
      }
    }
    return found;
  }

  /** Rejects the requests for which `which` is true; without `which` all. */
  reject(error: (method: string) => WeftError, which: (entry: Readonly<Entry>) => boolean = () => true): void {
    for (const [id, entry] of [...this.entries]) {
      if (which(entry) && this.entries.delete(id)) {
        entry.onError(error(entry.method));
      }
    }
  }
}
