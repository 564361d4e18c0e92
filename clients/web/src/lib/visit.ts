// The state of a session that another connection needs to resume it: its key, how far each joined world was heard, and
// the last message that was said there.
import type {SessionHelloParams, SessionHelloResult, WorldJoinResult} from './api.generated.js';

/** Factor of the grace, for answers on their way. */
const GRACE_SHARE = 1.1;

export class Visit {
  private key = '';
  private grace = 0;
  private readonly revisions = new Map<number, number>();
  private readonly lines = new Map<number, number>();
  private readonly moved = new Map<number, number>();

  /** Whether the server keeps the session when the connection is lost. */
  get lasts(): boolean {
    return this.key !== '';
  }

  get graceMs(): number {
    return this.grace * 1000 * GRACE_SHARE;
  }

  /** Whether worlds are joined here. */
  get holds(): boolean {
    return this.revisions.size > 0;
  }

  /** Worlds to join at another server, and how far each was heard. */
  get parting(): [world: number, revision: number][] {
    return [...this.revisions, ...this.moved];
  }

  begin(hello: SessionHelloResult): void {
    this.key = hello.resume ?? '';
    this.grace = hello.grace ?? 0;
    if (hello.resumed !== true) {
      this.revisions.clear();
      this.moved.clear();
      this.lines.clear();
    }
    Array.from(hello.rejoin ?? []).forEach((world) => this.revisions.delete(world));
  }

  end(): void {
    this.key = '';
  }

  /** The fields of session.hello that resume the session. */
  resumption(unanswered: number[]): Partial<SessionHelloParams> {
    if (!this.lasts) {
      return {};
    }
    return {resume: this.key, unanswered: Uint32Array.from(unanswered), revisions: Object.fromEntries(this.revisions)};
  }

  /** Wraps a callback, so that this learns of the answer first. */
  watch(method: string, params: unknown, onResult: (result: unknown) => void): (result: unknown) => void {
    if (method === 'world.join') {
      return (result) => {
        const {world, revision} = result as WorldJoinResult;
        this.revisions.set(world, revision);
        onResult(result);
      };
    }
    if (method === 'world.leave') {
      const {world} = params as {world?: unknown};
      return (result) => {
        this.revisions.delete(world as number);
        onResult(result);
      };
    }
    return onResult;
  }

  /** Whether a notification is new. */
  hear(method: string, params: any): boolean {
    if (method === 'world.edited' && this.revisions.has(params.world)) {
      this.revisions.set(params.world, Math.max(this.revisions.get(params.world)!, params.revision));
    } else if (method === 'world.changed' && params.state === 'deleted') {
      this.revisions.delete(params.world);
    } else if (method === 'world.changed' && params.state === 'moved' && this.revisions.has(params.world)) {
      this.moved.set(params.world, this.revisions.get(params.world)!);
      this.revisions.delete(params.world);
    } else if (method === 'world.said') {
      if (params.line <= (this.lines.get(params.world) ?? 0)) {
        return false;
      }
      this.lines.set(params.world, params.line);
    }
    return true;
  }
}
