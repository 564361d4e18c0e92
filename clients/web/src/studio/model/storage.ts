// Whether the server's worlds last (server.info). It is a long answer for few words, so it is asked for when somebody
// wants to know, and once a connection.
import {signal, type ReadonlySignal} from '@preact/signals';
import type {Client, Storage as Kept} from '../../lib/index.js';
import {outcome} from './outcome.js';

// storage came with it.
const LEVEL = 4;

export class Storage {
  private readonly own = signal<Kept | null>(null);
  // Null where it is not known: it was not asked for yet, or the server is too old to say.
  readonly kept: ReadonlySignal<Kept | null> = this.own;
  private session = 0;
  private readonly off: () => void;

  constructor(private readonly client: Client) {
    this.off = client.onState((state) => {
      if (state === 'lost') {
        this.own.value = null;
      }
    });
  }

  close(): void {
    this.off();
  }

  async ask(): Promise<void> {
    const {hello, state} = this.client;
    if (state !== 'open' || !hello || hello.api_level < LEVEL || this.session === hello.session) {
      return;
    }
    this.session = hello.session;
    const told = await outcome(this.client.call('server.info'));
    if (told.ok) {
      this.own.value = told.result.storage ?? null;
    } else {
      this.session = 0;
    }
  }
}
