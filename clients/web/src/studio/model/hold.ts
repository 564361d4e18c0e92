// One particle held by this session: grab.begin, grab.move as notifications, grab.end.
//
// The answer to grab.begin takes a while; what is moved meanwhile is remembered, and let go means let go even if the
// grab has not begun yet.
import type {Client} from '../../lib/index.js';
import type {Outcome} from './outcome.js';
import type {Vec3} from './values.js';

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
  private target: Vec3;
  private sent: Vec3;

  constructor(
    private readonly client: Client,
    private readonly world: number,
    readonly point: {readonly body: number; readonly particle: number},
    target: Vec3,
    compliance: number | undefined,
    private readonly call: Call,
  ) {
    this.target = target;
    this.sent = target;
    this.begun = this.begin(compliance);
  }

  move(target: Vec3): void {
    this.target = target;
    if (this.id === 0 || this.over || target.every((x, axis) => x === this.sent[axis])) {
      return;
    }
    this.sent = target;
    this.client.notify('grab.move', {world: this.world, grab: this.id, target});
  }

  async end(): Promise<void> {
    if (this.over) {
      return;
    }
    this.over = true;
    if (this.id !== 0) {
      // It may have ended already, with a reset or with its body.
      await this.call('grab.end', {grab: this.id});
    }
  }

  private async begin(compliance: number | undefined): Promise<Outcome<{readonly tick: number}>> {
    const {body, particle} = this.point;
    const soft = compliance === undefined ? {} : {compliance};
    const begun = await this.call('grab.begin', {body, particle, target: this.target, ...soft});
    if (begun.ok) {
      this.id = begun.result.grab ?? 0;
      if (this.over) {
        await this.call('grab.end', {grab: this.id});
      } else {
        this.move(this.target);
      }
    }
    return begun;
  }
}
