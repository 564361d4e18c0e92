// Whether this page's machine keeps up with a world, so that the world may be shown as it is simulated here.
//
//     sent ──begin──▶ trying ──keeps up for TRY_MS──▶ here
//       ▲               │                               │
//       └── rest of 30 s, 1 min, … ◀── does not for LATE_MS ──┘
//
// Between what is enough to begin and what is too much to go on lies a wide gap, and each failure makes the next rest longer: it
// does not go to and fro. Times are the caller's, in milliseconds.
export interface Load {
  // Of the time that there is for a tick: above 1 it falls behind. Null: time stands.
  readonly share: number | null;
  // Of the world's time, by which it is later than it wants to be.
  readonly behindMs: number;
}

const TRY_MS = 1500;
const LATE_MS = 3000;
const STEADY_MS = 60_000;
const REST_MS = 30_000;
const REST_MOST_MS = 600_000;
const ENOUGH = 0.6;
const TOO_MUCH = 0.9;
const BEHIND_ENOUGH_MS = 150;
const BEHIND_TOO_MUCH_MS = 500;

// Seconds that a particle takes in one sweep of one substep where all goes well, measured and halved: what is slower than that by
// itself is not tried.
const SWEEP_S = 8e-9;
// A page has no memory for more, whatever the world is made of.
export const PARTICLES_MOST = 300_000;

export interface Size {
  readonly particles: number;
  readonly substeps: number;
  readonly iterations: number;
  // Ticks per second that are asked for; 0: as many as can be.
  readonly ticksPerSecond: number;
}

// Why a world of that size is not even tried; null where it may be.
export function beyond({particles, substeps, iterations, ticksPerSecond}: Size): string | null {
  if (particles > PARTICLES_MOST) {
    return 'it is too large for a page';
  }
  const seconds = particles * substeps * iterations * ticksPerSecond * SWEEP_S;
  return seconds > TOO_MUCH ? 'it is too much work for one core' : null;
}

export class Keeping {
  private good: number | null = null; // since when it keeps up
  private bad: number | null = null; // since when it does not
  private here: number | null = null; // since when it is shown
  private failures = 0;
  private restUntil = -Infinity;

  // Whether it may be tried.
  ready(now: number): boolean {
    return now >= this.restUntil;
  }

  // Another world, or another try.
  begin(): void {
    this.good = this.bad = this.here = null;
  }

  // What was learned is of another world.
  forget(): void {
    this.begin();
    this.failures = 0;
    this.restUntil = -Infinity;
  }

  // It is of no use now, whatever the load.
  fail(now: number): void {
    this.restUntil = now + Math.min(REST_MOST_MS, REST_MS * 2 ** this.failures);
    this.failures++;
    this.begin();
  }

  // 'sent' begins a rest by fail() of whoever asks.
  weigh({share, behindMs}: Load, now: number): 'wait' | 'here' | 'sent' {
    const enough = (share ?? 0) < ENOUGH && behindMs < BEHIND_ENOUGH_MS;
    const much = (share ?? 0) > TOO_MUCH || behindMs > BEHIND_TOO_MUCH_MS;
    this.good = enough ? (this.good ?? now) : null;
    this.bad = much ? (this.bad ?? now) : null;
    if (this.bad !== null && now - this.bad >= LATE_MS) {
      return 'sent';
    }
    if (this.here !== null) {
      this.failures = now - this.here >= STEADY_MS ? 0 : this.failures;
      return 'here';
    }
    // A world that rests asks for nothing.
    if (this.good !== null && (share === null || now - this.good >= TRY_MS)) {
      this.here = now;
      return 'here';
    }
    return 'wait';
  }
}
