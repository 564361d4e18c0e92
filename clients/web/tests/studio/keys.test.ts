// The keys of the studio's commands.
import {expect, test} from 'vitest';

import {VERBS} from '../../src/studio/ui/keys/verbs.js';

test('no key belongs to two commands', () => {
  const owners = new Map<string, string[]>();
  for (const {id, keys} of VERBS) {
    for (const key of keys) owners.set(key, [...(owners.get(key) ?? []), id]);
  }
  expect([...owners].filter(([, ids]) => ids.length > 1)).toEqual([]);
});
