// The person's name: kept by the browser, told to the server whenever there is a connection.
import {effect} from '@preact/signals';

import type {App} from '../../model/app.js';
import {remembered} from '../memory.js';

export const ownName = remembered('name', '');

export function followName(app: App): void {
  let told: string | null = null;
  effect(() => {
    const name = ownName.value.trim();
    if (app.session.state.value !== 'open') {
      told = null;
      return;
    }
    told ??= app.client.hello?.user ?? '';
    if (name === told) return;
    told = name;
    app.client
      .call('session.hello', {user: name})
      .then(() => app.document.introduce())
      .catch((error: unknown) => {
        if (error instanceof Error && error.name === 'WeftError') app.notices.error(error as never);
      });
  });
}
