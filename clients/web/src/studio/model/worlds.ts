// The worlds of the server. There is no notice of worlds that come and go, so the list is asked for every few
// seconds while somebody watches it.
import {signal, type ReadonlySignal} from '@preact/signals';
import type {Client, Params, Results, WorldSummary} from '../../lib/index.js';
import {outcome, type Outcome} from './outcome.js';

const POLL_MS = 3000;

export class Worlds {
  private readonly own = signal<readonly WorldSummary[]>([]);
  private readonly wasRead = signal(false);
  private watchers = 0;
  private timer: ReturnType<typeof setInterval> | null = null;
  private readonly off: () => void;

  // By id.
  readonly list: ReadonlySignal<readonly WorldSummary[]> = this.own;
  // Whether the list was ever read.
  readonly known: ReadonlySignal<boolean> = this.wasRead;

  constructor(private readonly client: Client) {
    this.off = client.onState((state) => {
      if (state === 'open' && this.watchers > 0) {
        void this.refresh();
      }
    });
  }

  close(): void {
    this.off();
    if (this.timer !== null) {
      clearInterval(this.timer);
    }
  }

  // Keeps the list fresh until the function that is returned is called.
  watch(): () => void {
    if (this.watchers++ === 0) {
      void this.refresh();
      this.timer = setInterval(() => void this.refresh(), POLL_MS);
    }
    let released = false;
    return () => {
      if (released) {
        return;
      }
      released = true;
      if (--this.watchers === 0 && this.timer !== null) {
        clearInterval(this.timer);
        this.timer = null;
      }
    };
  }

  async refresh(): Promise<Outcome<readonly WorldSummary[]>> {
    if (this.client.state === 'lost' || this.client.state === 'closed') {
      return {ok: true, result: this.own.peek()};
    }
    const asked = await outcome(this.client.call('world.list'));
    if (!asked.ok) {
      return asked;
    }
    this.own.value = asked.result.worlds;
    this.wasRead.value = true;
    return {ok: true, result: asked.result.worlds};
  }

  // The world is paused and empty; open it with app.open(name).
  create(params: Params['world.create']): Promise<Outcome<Results['world.create']>> {
    return this.change(this.client.call('world.create', params));
  }

  // As create(), of a document such as world.save answers.
  async openScene(name: string, document: object): Promise<Outcome<Results['world.open']>> {
    return this.change(
      this.client.call('world.open', {name, document: document as Params['world.open']['document']}),
    );
  }

  rename(world: number, name: string): Promise<Outcome<Results['world.set']>> {
    return this.change(this.client.call('world.set', {world, name}));
  }

  remove(world: number): Promise<Outcome<Results['world.delete']>> {
    return this.change(this.client.call('world.delete', {world}));
  }

  private async change<T>(call: Promise<T>): Promise<Outcome<T>> {
    const done = await outcome(call);
    void this.refresh();
    return done;
  }
}
