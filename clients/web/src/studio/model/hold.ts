// One particle held by this page: grab.begin, grab.move as notifications, grab.end.
//
// The answer to grab.begin takes a while; what is moved meanwhile is remembered, and let go means let go even if the
// grab has not begun yet.
//
// A page shows the world as it was a moment ago. Begun where the page has the particle, a grab of one that moves would
// first jerk it back there; so it begins where the server has it, and goes from there to the hand within EASE_MS.
//
// A grab ends with its session. If the page goes on in another session, because the world moves to another server or
// its server is lost, the particle is grabbed again as soon as the world has been joined there.
//
// Where the world is simulated on the page, its twin shows all that at once (`ahead`), until the server's word is there.
import type {Client, TwinHand, WeftError} from '../../lib/index.js';
import type {Outcome} from './outcome.js';
import type {Vec3} from './values.js';

const EASE_MS = 120;
const STEP_MS = 15;
const AWAY_MS = 100;

type Begun = Outcome<{readonly grab?: number; readonly tick: number}>;

// What it needs of the world that it is in.
export interface HoldPlace {
  readonly world: number;
  call(method: 'grab.begin' | 'grab.end', params: Record<string, unknown>): Promise<Begun>;
  // The target of a grab as the newest frame has it.
  targetOf(grab: number): Vec3 | null;
  ahead(target: Vec3): TwinHand | null;
  // Calls back each time that the world was joined.
  onJoined(callback: () => void): () => void;
}

export class Hold {
  // Id of the grab; 0 before it has begun, and while it is to be begun again.
  id = 0;
  // Counts the grabs that it was so far.
  count = 0;
  // What became of the first grab.begin.
  readonly begun: Promise<Outcome<{readonly tick: number}>>;
  // Why it is not held; never where it is.
  readonly refused: Promise<WeftError>;

  private over = false;
  private ahead: TwinHand | null = null;
  // The session that had it is gone.
  private gone = false;
  private beginning = false;
  private sent: Vec3 | null = null;
  // Where the server had the particle; null until that is known.
  private start: Vec3 | null = null;
  private begunAt = 0;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private readonly offs: (() => void)[];
  private refuse: (error: WeftError) => void = () => undefined;

  constructor(
    private readonly client: Client,
    private readonly place: HoldPlace,
    readonly point: {readonly body: number; readonly particle: number},
    private target: Vec3,
    private readonly compliance: number | undefined,
  ) {
    this.refused = new Promise((resolve) => (this.refuse = resolve));
    this.begun = this.begin();
    this.offs = [
      client.onState((state) => {
        if (state === 'open' && !client.resumed) {
          this.id = 0;
          this.gone = true;
        }
      }),
      place.onJoined(() => {
        if (this.gone && !this.beginning) {
          void this.begin();
        }
      }),
    ];
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
    this.offs.forEach((off) => off());
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
    const done = await this.place.call('grab.end', {grab: this.id});
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

  private async begin(): Promise<Begun> {
    const {client, compliance} = this;
    const {body, particle} = this.point;
    const soft = compliance === undefined ? {} : {compliance};
    const heard = client.state !== 'lost';
    this.beginning = true;
    this.sent = this.start = null;
    this.ahead = this.place.ahead(this.target);
    const begun = await this.place.call('grab.begin', {body, particle, ...soft});
    this.beginning = false;
    if (begun.ok) {
      this.gone = false;
      this.id = begun.result.grab ?? 0;
      this.count++;
      this.ahead?.begun(this.id);
      if (this.over) {
        await this.letGo();
      } else {
        this.begunAt = performance.now();
        this.send();
      }
    } else {
      this.ahead?.drop();
      // What is lost with its session is asked of the next one.
      const lost = begun.error.code === 'LOST' && heard && (this.gone || this.client.state === 'lost');
      if (!lost) {
        this.refuse(begun.error);
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
      this.start ??= this.place.targetOf(this.id);
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
      const went = this.client.notify('grab.move', {world: this.place.world, grab: this.id, target: at});
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
