// Sends a value while it changes: at most one call is under way, and of those that wait the newest goes next. What a
// lost connection left unsent is kept, and goes when the connection is back.
import {signal, type Signal} from '@preact/signals';

import type {WeftError} from '../../../lib/index.js';
import type {Outcome} from '../../model/outcome.js';

export type Send<T> = (value: T) => Promise<Outcome<unknown>>;

export interface Live<T> {
  // What was given last and the server has not confirmed; undefined: nothing.
  readonly draft: Signal<T | undefined>;
  // Why the last one was refused.
  readonly error: Signal<WeftError | null>;
  readonly waitsForConnection: Signal<boolean>;
  give(value: T): void;
  // Sends again what a lost connection kept back.
  resume(): void;
  forget(): void;
}

// How long a confirmed value is still shown, while the world's own word of it is on its way.
const ECHO_MS = 300;

export function live<T>(send: () => Send<T>): Live<T> {
  const draft = signal<T | undefined>(undefined);
  const error = signal<WeftError | null>(null);
  const waitsForConnection = signal(false);
  let next: {value: T} | null = null;
  let busy = false;
  let echo: ReturnType<typeof setTimeout> | undefined;

  const run = async () => {
    if (busy) return;
    busy = true;
    while (next) {
      const {value} = next;
      next = null;
      const sent = await send()(value);
      const refusal = sent.ok ? null : sent.error;
      if (refusal?.code === 'LOST' || refusal?.code === 'CLOSED') {
        next ??= {value};
        waitsForConnection.value = true;
        break;
      }
      waitsForConnection.value = false;
      error.value = refusal;
      // A refused value stays to be seen, with the words for it, until it is changed or taken back.
      if (!next && !refusal) echo = setTimeout(() => (draft.value = undefined), ECHO_MS);
    }
    busy = false;
  };

  return {
    draft,
    error,
    waitsForConnection,
    give(value) {
      clearTimeout(echo);
      draft.value = value;
      next = {value};
      void run();
    },
    resume() {
      if (next) void run();
    },
    forget() {
      clearTimeout(echo);
      next = null;
      draft.value = undefined;
      error.value = null;
      waitsForConnection.value = false;
    },
  };
}
