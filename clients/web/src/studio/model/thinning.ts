// How many of the frames that a screen could show are asked for. A connection or a machine that cannot take them all
// gets fewer: what is left out by the server comes unevenly, and what waits for it comes late.
//
// Half as many are asked for after two windows in which many were left out, twice as many again after a while without
// any; longer each time that turned out to be too many.

const FEWEST = 8;
const MANY = 0.25;
const BAD_WINDOWS = 2;
const PATIENCE_MS = 6000;
const PATIENCE_MAX_MS = 60_000;

export class Thinning {
  // One in so many: 1, 2, 4 or 8.
  factor = 1;
  private bad = 0;
  private goodSince = NaN;
  private patience = PATIENCE_MS;
  private rose = false;

  // After each second or so, with what came and what was left out in it. Whether the factor changed.
  window(now: number, frames: number, dropped: number): boolean {
    if (dropped === 0) {
      this.bad = 0;
      this.goodSince = Number.isNaN(this.goodSince) ? now : this.goodSince;
      if (this.factor > 1 && now - this.goodSince >= this.patience) {
        this.factor /= 2;
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
    this.factor *= 2;
    return true;
  }

  // Another world or another connection: nothing is known of it.
  reset(): void {
    this.factor = 1;
    this.bad = 0;
    this.goodSince = NaN;
    this.patience = PATIENCE_MS;
    this.rose = false;
  }
}
