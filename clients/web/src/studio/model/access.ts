// What this person may do in the world that is open, and who holds control of it.
import {computed, effect, signal, type ReadonlySignal} from '@preact/signals';
import type {AccessListResult, Client, Params, Results} from '../../lib/index.js';
import type {WorldDocument} from './document.js';
import {outcome, type Outcome} from './outcome.js';

// access.list came with it.
const LEVEL = 6;

export type Role = 'viewer' | 'editor' | 'owner';

export class Access {
  private readonly own = {
    list: signal<AccessListResult | null>(null),
    asks: signal(false),
  };
  // Whether the server asks for tokens.
  readonly tokens: ReadonlySignal<boolean> = this.own.asks;
  // Null where it is not known yet; what is refused meanwhile is told by the server.
  readonly list: ReadonlySignal<AccessListResult | null> = this.own.list;
  readonly role: ReadonlySignal<Role> = computed(() => (this.own.list.value?.role as Role | undefined) ?? 'owner');
  // Play, pause, step, reset.
  readonly controls: ReadonlySignal<boolean> = computed(() => {
    const list = this.own.list.value;
    return list === null || list.role === 'owner' || (list.role === 'editor' && list.control === 'editor');
  });
  private readonly offs: (() => void)[];

  constructor(
    private readonly client: Client,
    private readonly document: WorldDocument,
  ) {
    this.offs = [
      effect(() => {
        const {phase, home, epoch} = document;
        // A role that was taken back ends the session, so it is asked for with each.
        void epoch.value;
        if (phase.value === 'joined' && home.value !== 0) {
          void this.refresh();
        }
      }),
    ];
  }

  close(): void {
    this.offs.forEach((off) => off());
  }

  async refresh(): Promise<void> {
    const {hello} = this.client;
    const world = this.document.home.peek();
    this.own.asks.value = hello?.tokens === true;
    if (!hello || hello.api_level < LEVEL || !hello.tokens) {
      this.own.list.value = null;
      this.document.lookOn(false);
      return;
    }
    const told = await outcome(this.client.call('access.list', {world}));
    if (told.ok && this.document.home.peek() === world) {
      this.own.list.value = told.result;
      this.document.lookOn(told.result.role === 'viewer');
    }
  }

  // -- what owners do; the list is fresh afterwards

  grant(user: string, role: Role): Promise<Outcome<Results['access.grant']>> {
    return this.told(this.client.call('access.grant', {world: this.document.home.peek(), user, role}));
  }

  // A person, or an invitation by its id.
  revoke(of: Pick<Params['access.revoke'], 'user' | 'invite'>): Promise<Outcome<Results['access.revoke']>> {
    return this.told(this.client.call('access.revoke', {world: this.document.home.peek(), ...of}));
  }

  invite(of: Omit<Params['access.invite'], 'world'>): Promise<Outcome<Results['access.invite']>> {
    return this.told(this.client.call('access.invite', {world: this.document.home.peek(), ...of}));
  }

  private async told<T>(call: Promise<T>): Promise<Outcome<T>> {
    const done = await outcome(call);
    await this.refresh();
    return done;
  }
}
