// Going where a world is, where several servers share them. The whole client goes, where nothing else holds it: it is at one
// server at a time.
//
//     refused with MOVED, or told of a move ──▶ what is under way is answered ──▶ move ──▶ there: what was refused is asked again
//                                                                 └── held here, or not let in there: refused
import {WeftError} from './error.js';

/** Servers in a row that may send a call on. */
const HOPS_MAX = 8;
/** Moves of a client in so much time: servers that name each other are not believed for ever. */
const MOVES_MAX = 8;
const MOVES_MS = 10_000;
const SETTLE_MS = 10_000;
const LOOK_MS = 20;
/** The server that a world moved to may have to open it. */
const OPENING_MS = 10_000;
const PAUSE_MS = 50;

export interface FollowHost {
  /** Something is joined or streamed here. */
  holds(): boolean;
  /** Requests that were sent and wait for an answer. */
  unanswered(): number;
  /** Calls back when all that the server said before is here, or the connection is gone. */
  ping(done: () => void): void;
  move(web: string): void;
  /** It stays, and so does not have what moved. */
  stays(why: string): void;
}

/** A call that goes from server to server. */
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

  /** Whether what was refused so is asked again, by `again`, or refused later. */
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
      setTimeout(again, PAUSE_MS); // in the middle of a move: who is asked again knows where to
      return true;
    }
    if (error.web === undefined || error.web === '') {
      return false; // that server takes no browsers
    }
    const {kind, code, text, server, address, web, method} = error;
    this.waiting.push({
      again,
      refuse: (why) => refuse(new WeftError({kind, code, text: `${text} (${why})`, server, address, web}, method)),
    });
    this.told(web);
    return true;
  }

  /** A world of this client has gone there. */
  told(web: string): void {
    if (this.target !== null) {
      return; // where else one should be is said again there
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

  /** It is there. */
  arrived(): void {
    this.target = null;
    this.waiting.splice(0).forEach(({again}) => again());
  }

  /** It does not come there. */
  stay(why: string): void {
    this.target = null;
    this.waiting.splice(0).forEach(({refuse}) => refuse(why));
    this.host.stays(why);
  }
}
