// How long to wait before connecting again: twice as long after each failure, up to a bound, and each time a
// random share less, so that the pages of a server that was restarted do not all come back at once.
import type {ReconnectOptions} from './types.js';

const FIRST_MS = 250;
const MAX_MS = 10_000;

export class Delays {
  private readonly first: number;
  private readonly max: number;
  private failures = 0;

  constructor(
    options: ReconnectOptions = {},
    private readonly random: () => number = Math.random,
  ) {
    this.first = options.firstDelayMs ?? FIRST_MS;
    this.max = options.maxDelayMs ?? MAX_MS;
    if (!(this.first > 0) || !(this.max >= this.first) || !Number.isFinite(this.max)) {
      throw new RangeError('reconnect: firstDelayMs must be above 0, and maxDelayMs no less');
    }
  }

  /** Milliseconds until the next attempt: between half and all of the present delay. */
  next(): number {
    const whole = Math.min(this.max, this.first * 2 ** Math.min(this.failures, 30));
    this.failures += 1;
    return whole * (0.5 + 0.5 * this.random());
  }

  /** The connection was a good one: the next loss starts from the first delay. */
  reset(): void {
    this.failures = 0;
  }
}
