// Following a world, if several servers share worlds. The whole client goes, unless something else holds it: it is at
// one server at a time.
//
//     refused with MOVED, or told of a move ──▶ what is under way is answered ──▶ move ──▶ there: what was refused is asked again
//                                                                 └── held here, or not let in there: refused
import {WeftError} from './error.js';

/** Number of servers in a row that may send a call on. */
const HOPS_MAX = 8;
/** Number of moves of a client within the time below: servers that keep naming each other are followed only so often. */
const MOVES_MAX = 8;
const MOVES_MS = 10_000;
const SETTLE_MS = 10_000;
const LOOK_MS = 20;
/** The time that the new server may take to open a world after a move. */
const OPENING_MS = 10_000;
const PAUSE_MS = 50;

export interface FollowHost {
  /** Whether worlds are joined or streamed here. */
  holds(): boolean;
  /** Number of requests that were sent and wait for an answer. */
  unanswered(): number;
  /** Calls back once all earlier messages of the server have come, or the connection is gone. */
  ping(done: () => void): void;
  move(web: string): void;
  /** The client stays, and so loses the world that moved. */
  stays(why: string): void;
}

/** A call that is sent from server to server. */
export interface Trip {
  hops: number;
  until: number;
}

interface Waiting {
  readonly again: () => void;
  readonly refuse: (why: string) => void;
}

export class Follow {
  private target: string | null = null;
  private waiting: Waiting[] = [];
  private moves: number[] = [];

  constructor(private readonly host: FollowHost) {}

  /** Whether a refused call is repeated, by `again`, or refused later, by `refuse`. */
  takes(error: WeftError, trip: Trip, again: () => void, refuse: (error: WeftError) => void): boolean {
    const now = performance.now();
    if (error.code === 'BUSY' && now < trip.until) {
      setTimeout(again, PAUSE_MS);
      return true;
    }
    if (error.code !== 'MOVED' || trip.hops >= HOPS_MAX) {
      return false;
    }
    trip.hops += 1;
    trip.until = now + OPENING_MS;
    if (error.address === undefined || error.address === '') {
      setTimeout(again, PAUSE_MS); // in the middle of a move; the server knows the new address when it is asked again
      return true;
    }
    if (error.web === undefined || error.web === '') {
      return false; // that server does not accept browsers
    }
    const {kind, code, text, server, address, web, method} = error;
    this.waiting.push({
      again,
      refuse: (why) => refuse(new WeftError({kind, code, text: `${text} (${why})`, server, address, web}, method)),
    });
    this.told(web);
    return true;
  }

  /** A world of this client has moved to that address. */
  told(web: string): void {
    if (this.target !== null) {
      return; // the next server says where else to go
    }
    this.target = web;
    const deadline = performance.now() + SETTLE_MS;
    const look = () => {
      if (this.target !== web) {
        return;
      }
      const now = performance.now();
      this.moves = this.moves.filter((at) => now - at < MOVES_MS);
      if (this.host.unanswered() > 0 && now < deadline) {
        setTimeout(look, LOOK_MS);
      } else if (this.host.holds() || this.host.unanswered() > 0) {
        this.stay('something else holds this client where it is');
      } else if (this.moves.length >= MOVES_MAX) {
        this.stay(`${MOVES_MAX} servers in a row named another`);
      } else {
        this.moves.push(now);
        this.host.move(web);
      }
    };
    this.host.ping(look);
  }

  /** The client has arrived there. */
  arrived(): void {
    this.target = null;
    this.waiting.splice(0).forEach(({again}) => again());
  }

  /** The client cannot go there. */
  stay(why: string): void {
    this.target = null;
    this.waiting.splice(0).forEach(({refuse}) => refuse(why));
    this.host.stays(why);
  }
}
