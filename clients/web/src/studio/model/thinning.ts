// How many of the frames that a screen could show are asked for. A connection or a machine that cannot take them all
// gets fewer: what is left out by the server comes unevenly, and what waits for it comes late.
//
// After two windows in which many were left out, a little less is asked for than came through; again more after a while
// without any, and later each time that turned out to be too many. What is on the way when less is asked for comes all
// the same, and tells of what was left out before it: that is waited for. Where it takes long to come, still less is asked
// for, so that what has piled up on the way is carried off.

const FEWEST = 60;
const MANY = 0.12;
const BAD_WINDOWS = 2;
// Of what came through.
const SHARE = 0.85;
const SHARE_LATE = 0.6;
const LATE_MS = 500;
const FALL_LEAST = 1.25;
const RISE = 1.5;
const SETTLE_MS = 5000;
const PATIENCE_MS = 6000;
const PATIENCE_MAX_MS = 60_000;

export class Thinning {
  // One in so many, 1 or more.
  factor = 1;
  private bad = 0;
  private goodSince = NaN;
  private patience = PATIENCE_MS;
  private rose = false;

  private settled = -Infinity;

  // After each second or so, with the frames a second that came and that were left out in it, those that would be asked
  // for with a factor of 1, and how long an answer takes. Whether the factor changed.
  window(now: number, frames: number, dropped: number, all = 60, latencyMs = 0): boolean {
    if (now < this.settled) {
      this.goodSince = NaN;
      return false;
    }
    if (dropped === 0) {
      this.bad = 0;
      this.goodSince = Number.isNaN(this.goodSince) ? now : this.goodSince;
      if (this.factor > 1 && now - this.goodSince >= this.patience) {
        this.factor = this.factor > RISE ? this.factor / RISE : 1;
        this.rose = true;
        this.goodSince = now;
        return true;
      }
      return false;
    }
    this.goodSince = NaN;
    this.bad = dropped > MANY * (frames + dropped) ? this.bad + 1 : 0;
    if (this.bad < BAD_WINDOWS || this.factor >= FEWEST) {
      return false;
    }
    if (this.rose) {
      this.patience = Math.min(PATIENCE_MAX_MS, 2 * this.patience);
      this.rose = false;
    }
    this.bad = 0;
    this.settled = now + SETTLE_MS;
    const share = latencyMs > LATE_MS ? SHARE_LATE : SHARE;
    this.factor = Math.min(
      FEWEST,
      Math.max(all / Math.max(1e-9, share * frames), FALL_LEAST * this.factor),
    );
    return true;
  }

  // Another world or another connection: nothing is known of it.
  reset(): void {
    this.factor = 1;
    this.bad = 0;
    this.goodSince = NaN;
    this.patience = PATIENCE_MS;
    this.rose = false;
    this.settled = -Infinity;
  }
}
