// One's own drag, shown before the server has answered: from the tick that is certain the machine runs ahead, with the hand
// where it was by then, and goes back.
//
//     hand      ──●────●────●────●────●  now
//                 │ lead: until what it does is told here
//     certain   ──┤ C                            the machine, to which it goes back
//     shown       └─▶ 1 ─▶ 2 ─▶ … ─▶ n           pulled as the hand was at  now − lead (1 − k / n)
//
// n grows by what a frame has ticks, so what is shown goes twice as fast as time until it is lead ahead; let go, it falls by
// half of that. Where n is less than lead has ticks, the same way of the hand is gone in fewer. What is shown so is a guess, and
// nothing else is made of it: the machine is bit for bit what it was.
import {WeftError} from '../error.js';
import type {Machine, MachineHands} from '../machine.js';
import type {Vec3} from '../values.js';

/** What is held, and how. */
export interface HandPoint {
  readonly body: number;
  readonly particle: number;
  readonly compliance: number;
}

/** What a hand does, at a time of clockMs(). */
export type HandDoes =
  | {readonly does: 'begin'; readonly point: HandPoint; readonly target: Vec3}
  | {readonly does: 'move'; readonly target: Vec3}
  /** The server has begun its grab. */
  | {readonly does: 'begun'; readonly grab: number}
  | {readonly does: 'end'}
  /** The server will have nothing of it. */
  | {readonly does: 'drop'};

interface Move {
  readonly atMs: number;
  /** Null: let go. */
  readonly target: Vec3 | null;
}

interface Hand {
  readonly point: HandPoint;
  readonly sinceMs: number;
  moves: Move[];
  /** The server's id; 0: not known. */
  grab: number;
  /** The machine had it. */
  seen: boolean;
  endedMs: number | null;
}

/** What there is to spend on it. */
export interface AheadMeans {
  readonly nowMs: number;
  /** From when a hand does something until it is told here. */
  readonly leadMs: number;
  readonly ticksPerMs: number;
  /** Of a frame: ticks, and what is left of its time. */
  readonly ticksPerFrame: number;
  readonly freeMs: number;
  /** What a tick is thought to take, until one has run. */
  readonly msPerTick: number;
}

const HANDS_MOST = 8;
const MOVES_MOST = 1024;
const TICKS_MOST = 40;
/** In fewer ticks than one in so many of the lead's, the way of a hand is none that looks like it. */
const SQUEEZE = 8;
const UNSEEN_MS = 2000; // besides the lead
const LET_GO_MS = 300;
const WEIGHT = 0.15;
const SHORT_FRAMES = 30; // one after the other, in which there is no time for it

// Null: let go. Undefined: it had not begun.
function targetAt(moves: readonly Move[], atMs: number): Vec3 | null | undefined {
  let target: Vec3 | null | undefined;
  for (const move of moves) {
    if (move.atMs > atMs) {
      break;
    }
    target = move.target;
  }
  return target;
}

export class Ahead {
  private readonly hands = new Map<number, Hand>();
  private ticks = 0;
  private tickMs = 0;
  /** Frames in a row that had no time for it: after too many none is shown so, until there is twice the time that it asks for. */
  private short = 0;

  /** Ticks that are shown ahead. */
  get shown(): number {
    return Math.floor(this.ticks);
  }

  get idle(): boolean {
    return this.hands.size === 0 && this.ticks === 0;
  }

  hear(id: number, told: HandDoes, atMs: number): void {
    const hand = this.hands.get(id);
    if (told.does === 'begin') {
      this.short = this.hands.size === 0 ? 0 : this.short;
      if (this.hands.size < HANDS_MOST) {
        const moves = [{atMs, target: told.target}];
        this.hands.set(id, {point: told.point, sinceMs: atMs, moves, grab: 0, seen: false, endedMs: null});
      }
    } else if (hand !== undefined) {
      this.act(id, hand, told, atMs);
    }
  }

  private act(id: number, hand: Hand, told: Exclude<HandDoes, {does: 'begin'}>, atMs: number): void {
    switch (told.does) {
      case 'move':
        if (hand.endedMs === null) {
          hand.moves.push({atMs, target: told.target});
        }
        break;
      case 'begun':
        hand.grab = told.grab;
        break;
      case 'end':
        hand.endedMs = atMs;
        hand.moves.push({atMs, target: null});
        break;
      case 'drop':
        this.leave(id, true);
        break;
    }
    if (hand.moves.length > MOVES_MOST) {
      hand.moves = hand.moves.slice(-MOVES_MOST / 2);
    }
  }

  /** A frame is shown as it is. */
  pause(): void {
    this.ticks = 0;
  }

  /** Nothing is shown ahead any more, until a hand begins. */
  forget(): void {
    this.hands.clear();
    this.ticks = 0;
  }

  // At once: what was shown will not be.
  private leave(id: number, atOnce: boolean): void {
    this.hands.delete(id);
    if (atOnce && this.hands.size === 0) {
      this.ticks = 0;
    }
  }

  /**
   * Runs ahead and gives what `look` sees there; null: nothing is to be shown but the machine itself, which stands where it stood in
   * any case.
   */
  run<Seen>(machine: Machine, means: AheadMeans, look: (ticks: number) => Seen): Seen | null {
    this.settle(machine, means);
    const count = this.pace(means);
    if (count === 0) {
      return null;
    }
    const begun = performance.now();
    this.tickMs ||= means.msPerTick;
    try {
      return machine.ahead((hands) => {
        this.pull(machine, hands, count, means);
        return look(count);
      });
    } catch (error) {
      // It fails there, or something cannot be held: what will really be is for the server to say.
      if (!(error instanceof WeftError) || error.code === 'INTERNAL') {
        throw error;
      }
      this.forget();
      return null;
    } finally {
      const tickMs = (performance.now() - begun) / count;
      this.tickMs += WEIGHT * (tickMs - this.tickMs);
    }
  }

  // Leaves the hands whose grabs are over.
  private settle(machine: Machine, {nowMs, leadMs}: AheadMeans): void {
    for (const [id, hand] of this.hands) {
      const {point, grab, sinceMs, endedMs} = hand;
      const there = machine.grabOf(point.body, point.particle);
      const own = there !== 0 && there === grab;
      const gone = hand.seen && !own;
      const others = there !== 0 && grab !== 0 && !own;
      const late = !hand.seen && !own && nowMs > sinceMs + 2 * leadMs + UNSEEN_MS;
      const letGo = endedMs !== null && nowMs > endedMs + leadMs + LET_GO_MS;
      hand.seen ||= own;
      if (gone || others || late || letGo) {
        this.leave(id, endedMs === null);
        continue;
      }
      const past = nowMs - leadMs;
      const first = hand.moves.findIndex(({atMs}) => atMs > past);
      hand.moves.splice(0, Math.max(0, (first < 0 ? hand.moves.length : first) - 1));
    }
  }

  // How many ticks this frame is ahead.
  private pace({leadMs, ticksPerMs, ticksPerFrame, freeMs, msPerTick}: AheadMeans): number {
    const lead = Math.min(TICKS_MOST, Math.max(1, Math.round(leadMs * ticksPerMs)));
    const most = Math.floor(freeMs / Math.max(1e-3, this.tickMs || msPerTick));
    if (this.hands.size === 0) {
      this.ticks = Math.max(0, Math.min(this.ticks - ticksPerFrame / 2, most));
    } else if (this.short < SHORT_FRAMES) {
      this.short = SQUEEZE * most < lead ? this.short + 1 : 0;
      this.ticks = this.short < SHORT_FRAMES ? Math.min(this.ticks + ticksPerFrame, lead, Math.max(1, most)) : 0;
    } else {
      // Ticks ahead take what certain ones take, as far as is known while there are none.
      this.tickMs += WEIGHT * (msPerTick - this.tickMs);
      this.short = SQUEEZE * most < 2 * lead ? this.short : 0;
    }
    return this.shown;
  }

  // Who holds a particle that somebody else has by now waits for what the server says.
  private pull(machine: Machine, pulls: MachineHands, count: number, {nowMs, leadMs}: AheadMeans): void {
    const pulling = [...this.hands.values()]
      .map((hand) => ({hand, grab: machine.grabOf(hand.point.body, hand.point.particle)}))
      .filter(({hand, grab}) => grab === 0 || grab === hand.grab);
    for (let k = 1; k <= count; k++) {
      const atMs = nowMs - leadMs * (1 - k / count);
      for (const one of pulling) {
        one.grab = this.put(pulls, one.hand.point, one.grab, targetAt(one.hand.moves, atMs));
      }
      machine.step();
    }
  }

  // A hand to where it was; the grab that it has then, 0: none.
  private put(pulls: MachineHands, point: HandPoint, grab: number, target: Vec3 | null | undefined): number {
    if (target === undefined) {
      return grab;
    }
    if (target === null) {
      if (grab !== 0) {
        pulls.letGo(grab);
      }
      return 0;
    }
    const held = grab !== 0 ? grab : pulls.hold(point.body, point.particle, point.compliance);
    pulls.pull(held, target);
    return held;
  }
}
