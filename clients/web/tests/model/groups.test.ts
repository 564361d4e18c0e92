// Groups are parts of names: which there are, and which names things get when they are grouped, moved and let out.
import {describe, expect, it} from 'vitest';

import {freeGroup, groupOf, groupsOf, into, leafOf, moved, nameFlaw, outOf, renamed, thingsOf, type Named} from '../../src/studio/model/groups.js';
import {bodyOf, colliderOf} from '../../src/studio/model/values.js';

const body = (id: number, name: string) => bodyOf({body: id, kind: 'cloth', name}, 1, null);
const collider = (id: number, name: string) => colliderOf({collider: id, kind: 'sphere', name});
const named = (names: Record<number, string>): Named[] =>
  Object.entries(names).map(([id, name]) => ({thing: {kind: 'body', body: Number(id)}, name}));
const namesOf = (all: ReturnType<typeof renamed>) => all.map(({name}) => name);

describe('groups', () => {
  it('are what is before the last stroke of a name', () => {
    expect(['a', 'A/a', 'A/B/a'].map((name) => [groupOf(name), leafOf(name)])).toEqual([
      ['', 'a'],
      ['A', 'a'],
      ['A/B', 'a'],
    ]);
    for (const none of ['/a', 'a/', 'A//a', '', '/', 'A/ /a']) expect([groupOf(none), leafOf(none)]).toEqual(['', none]);
  });

  it('make a tree of bodies and colliders together', () => {
    const tree = groupsOf(
      [body(1, 'Stage/Curtains/left'), body(2, 'flag'), body(3, 'Stage/Curtains/right')],
      [collider(1, 'Stage/rail'), collider(2, 'Yard/ball')],
    );
    expect(tree.map(({path}) => path)).toEqual(['Stage', 'Yard']);
    const [stage] = tree;
    expect(stage!.groups.map(({path, name}) => [path, name])).toEqual([['Stage/Curtains', 'Curtains']]);
    expect(stage!.colliders.map(({name}) => name)).toEqual(['Stage/rail']);
    expect(thingsOf(stage!)).toEqual([
      {kind: 'collider', collider: 1},
      {kind: 'body', body: 1},
      {kind: 'body', body: 3},
    ]);
  });

  it('take things in and let them out, and no two get the same name', () => {
    const all = named({1: 'left', 2: 'Old/left', 3: 'Stage/left', 4: 'flag'});
    expect(namesOf(renamed(all.slice(0, 2), all, into('Stage')))).toEqual(['Stage/left 2', 'Stage/left 3']);
    expect(namesOf(renamed(all.slice(1, 3), all, outOf))).toEqual(['left 2', 'left 3']);
    expect(outOf('Stage/Curtains/left')).toBe('Stage/left');
    // Things that are there already stay, and are no edit.
    expect(renamed(all.slice(2, 3), all, into('Stage'))).toEqual([]);
    // A ball may be called as a cloth is.
    const ball: Named = {thing: {kind: 'collider', collider: 1}, name: 'left'};
    expect(namesOf(renamed([ball], [...all, ball], into('Stage')))).toEqual(['Stage/left']);
  });

  it('are renamed with all that is in them', () => {
    const all = named({1: 'Stage/left', 2: 'Stage/Curtains/left', 3: 'Stages/left'});
    expect(all.map(({name}) => moved('Stage', 'Hall')(name))).toEqual(['Hall/left', 'Hall/Curtains/left', 'Stages/left']);
    expect(all.map(({name}) => moved('Stage/Curtains', 'Stage/Drapes')(name))[1]).toBe('Stage/Drapes/left');
    expect(freeGroup(['Group/a', 'b', 'Group 2/Group 3/c'])).toBe('Group 3');
    expect(nameFlaw('Hall')).toBe('');
    expect(nameFlaw(' ')).toBe('a group needs a name');
    expect(nameFlaw('A/B')).toBe('"A/B": the name of a group has no /');
  });
});
