// One particle held by this session: grab.begin, grab.move as notifications, grab.end.
//
// The answer to grab.begin takes a while; what is moved meanwhile is remembered, and let go means let go even if the
// grab has not begun yet.
//
// A page shows the world as it was a moment ago. Begun where the page has the particle, a grab of one that moves would
// first jerk it back there; so it begins where the server has it, and goes from there to the hand within EASE_MS.
//
// Where the world is simulated on the page, its twin shows all that at once (`ahead`), until the server's word is there.
import type {Client, TwinHand} from '../../lib/index.js';
import type {Outcome} from './outcome.js';
import type {Vec3} from './values.js';

const EASE_MS = 120;
const STEP_MS = 15;
const AWAY_MS = 100;

type Call = (
  method: 'grab.begin' | 'grab.end',
  params: Record<string, unknown>,
) => Promise<Outcome<{readonly grab?: number; readonly tick: number}>>;

export class Hold {
  // Of the grab, once it has begun; 0 before.
  id = 0;
  // What became of grab.begin.
  readonly begun: Promise<Outcome<{readonly tick: number}>>;

  private over = false;
  private sent: Vec3 | null = null;
  // Where the server had the particle; null until that is known.
  private start: Vec3 | null = null;
  private begunAt = 0;
  private timer: ReturnType<typeof setTimeout> | null = null;

  constructor(
    private readonly client: Client,
    private readonly world: number,
    readonly point: {readonly body: number; readonly particle: number},
    private target: Vec3,
    compliance: number | undefined,
    private readonly call: Call,
    // The target of a grab as the newest frame has it.
    private readonly targetOf: (grab: number) => Vec3 | null,
    private readonly ahead: TwinHand | null = null,
  ) {
    this.begun = this.begin(compliance);
  }

  move(target: Vec3): void {
    this.target = target;
    if (!this.over) {
      this.ahead?.move(target);
    }
    this.send();
  }

  async end(): Promise<void> {
    if (this.over) {
      return;
    }
    this.over = true;
    this.ahead?.end();
    if (this.timer !== null) {
      clearTimeout(this.timer);
    }
    if (this.id !== 0) {
      await this.letGo();
    }
  }

  // It may have ended already, with a reset or with its body. What cannot be told now is told when the connection is back.
  private async letGo(): Promise<void> {
    const done = await this.call('grab.end', {grab: this.id});
    if (!done.ok && done.error.code === 'LOST' && this.client.state !== 'closed') {
      const off = this.client.onSession((change) => {
        if (change === 'away') {
          return;
        }
        off();
        if (change === 'back') {
          void this.letGo();
        }
      });
    }
  }

  private async begin(compliance: number | undefined): Promise<Outcome<{readonly tick: number}>> {
    const {body, particle} = this.point;
    const soft = compliance === undefined ? {} : {compliance};
    const begun = await this.call('grab.begin', {body, particle, ...soft});
    if (!begun.ok) {
      this.ahead?.drop();
    } else {
      this.id = begun.result.grab ?? 0;
      this.ahead?.begun(this.id);
      if (this.over) {
        await this.letGo();
      } else {
        this.begunAt = performance.now();
        this.send();
      }
    }
    return begun;
  }

  private send(): void {
    if (this.id === 0 || this.over) {
      return;
    }
    const share = Math.min(1, (performance.now() - this.begunAt) / EASE_MS);
    if (share < 1) {
      this.start ??= this.targetOf(this.id);
      this.timer ??= setTimeout(() => {
        this.timer = null;
        this.send();
      }, STEP_MS);
      if (!this.start) {
        return;
      }
    }
    const {target, sent} = this;
    const from = share < 1 ? (this.start ?? target) : target;
    const along = (axis: 0 | 1 | 2) => from[axis] + share * (target[axis] - from[axis]);
    const at: Vec3 = [along(0), along(1), along(2)];
    if (!sent || at.some((x, axis) => x !== sent[axis])) {
      // While the connection is lost it holds still on the server; where the hand is then is told when it is back.
      const went = this.client.notify('grab.move', {world: this.world, grab: this.id, target: at});
      this.sent = went ? at : null;
      if (!went) {
        this.ahead?.drop();
        this.timer ??= setTimeout(() => {
          this.timer = null;
          this.send();
        }, AWAY_MS);
      }
    }
  }
}
