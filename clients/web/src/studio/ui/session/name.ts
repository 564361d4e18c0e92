// The person's name: kept by the browser, told to the server whenever there is a connection. Whoever has none gets one,
// so that others can tell them apart and their edits stay theirs when the page is loaded again.
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
    // A token says who one is, and in a world of the page there is nobody else.
    if (name === '' && !app.inPage && app.client.hello?.tokens === false) {
      void christen(app);
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

async function christen(app: App): Promise<void> {
  const {friendlyName} = await import('./friendly.js');
  if (ownName.peek().trim() !== '') return;
  ownName.value = friendlyName(new Set(app.document.people.peek().map(({user}) => user)));
}
