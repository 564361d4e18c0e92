// A server tells at time a that the world has come to tick t; that comes here at time n, late by whatever the way took.
//
//     offset = min (n − a)                           the least delayed message tells how the clocks lie
//     tick shown at n = t + (n − offset − a − delay) · rate,  never beyond the last t
//     delay ≥ n' − offset − a                        for the next message, come at n': or t would have been reached before
//
// So the delay is what the period of messages and their jitter ask for. It grows at once and shrinks slowly, by a time constant
// of ten seconds; the offset is forgotten by 50 millionths of the time, since clocks drift. The same as clients/twin/clock.c.
const DRIFT = 50e-6;
const SHRINK_US = 10e6;
const DELAY_MOST_US = 2e6;
const SINCE_MOST_US = 1e12;

function clamp(value: number, most: number): number {
  return Math.min(most, Math.max(0, value));
}

export class TwinClock {
  delayUs = 0;
  private begun = false;
  private offsetUs = 0;
  private atUs = 0;
  private last = 0;
  private ticksPerUs = 0;
  private nowUs = 0;

  /** A message with the server's time `atUs` came at `nowUs` of a monotonic clock. ticksPerUs 0: the world is paused. */
  take(atUs: number, tick: number, ticksPerUs: number, nowUs: number): void {
    const since = this.begun ? clamp(nowUs - this.nowUs, SINCE_MOST_US) : 0;
    const offset = nowUs - atUs;
    const least = this.begun ? Math.min(offset, this.offsetUs + DRIFT * since) : offset;
    // Messages from a paused world say nothing about the delay while it plays.
    if (this.begun && this.ticksPerUs > 0) {
      const needed = clamp(nowUs - least - this.atUs, DELAY_MOST_US);
      const shrunk = this.delayUs - (this.delayUs - needed) * clamp(since / SHRINK_US, 1);
      this.delayUs = needed > this.delayUs ? needed : shrunk;
    }
    this.offsetUs = least;
    this.atUs = atUs;
    this.last = tick;
    this.ticksPerUs = ticksPerUs;
    this.nowUs = nowUs;
    this.begun = true;
  }

  tick(nowUs: number): number {
    if (!this.begun || this.ticksPerUs <= 0) {
      return this.last;
    }
    const late = nowUs - this.offsetUs - this.atUs - this.delayUs;
    return clamp(Math.floor(this.last + late * this.ticksPerUs), this.last);
  }

  /** Starts again as if nothing had come; the tick stays. */
  reset(tick: number): void {
    this.begun = false;
    this.delayUs = 0;
    this.last = tick;
    this.ticksPerUs = 0;
  }
}
