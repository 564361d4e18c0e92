// Requests without an answer: they belong to the session, and outlive a connection that is lost where that is gone on with.
//
//     made ──up──▶ sent ──▶ answered
//                   │  ▲
//      connection lost  └── said to be lost: sent again, as it was and under its id
//
// Ids ascend in the order in which requests are made. What concerns the connection alone (session.hello, pings, streams) ends
// with it.
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

  /** The one that an answer is for, which is no longer among them. */
  take(id: number): Pending | undefined {
    const entry = this.entries.get(id);
    this.entries.delete(id);
    return entry;
  }

  /** Those that were sent, in their order. */
  unanswered(): number[] {
    return [...this.entries].filter(([, entry]) => entry.sent && !entry.own).map(([id]) => id);
  }

  /** How many were sent, but for pings. */
  get underWay(): number {
    return [...this.entries.values()].filter((entry) => entry.sent && entry.method !== 'server.ping').length;
  }

  /** What is to go out now: these again, and all that were never sent. */
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

  /** Rejects those for which `which` holds; all where there is none. */
  reject(error: (method: string) => WeftError, which: (entry: Readonly<Entry>) => boolean = () => true): void {
    for (const [id, entry] of [...this.entries]) {
      if (which(entry) && this.entries.delete(id)) {
        entry.onError(error(entry.method));
      }
    }
  }
}
