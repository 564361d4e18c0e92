// The person's name: kept by the browser, told to the server whenever there is a connection.
import {effect} from '@preact/signals';

import type {App} from '../../model/app.js';
import {remembered} from '../memory.js';

export const ownName = remembered('name', '');

export function followName(app: App): void {
  let told = app.client.hello?.user ?? '';
  effect(() => {
    const name = ownName.value.trim();
    if (app.session.state.value !== 'open') {
      told = '';
      return;
    }
    if (name === told) return;
    told = name;
    const choices = {user: name, client: 'studio', arrays: 'ext', errors: 'map'} as const;
    app.client
      .call('session.hello', choices)
      .then(() => app.document.introduce())
      .catch((error: unknown) => {
        if (error instanceof Error && error.name === 'WeftError') app.notices.error(error as never);
      });
  });
}
