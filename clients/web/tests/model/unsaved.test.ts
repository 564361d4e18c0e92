// What would be lost with the page: edits of its own since the last file, of worlds that are still there.
import {signal} from '@preact/signals';
import {expect, it} from 'vitest';
import {Unsaved} from '../../src/studio/model/unsaved.js';

function page() {
  const home = signal(1);
  const list = signal([{world: 1}, {world: 2}]);
  let edited: (edit: object) => void = () => {};
  let session: (change: string) => void = () => {};
  const unsaved = new Unsaved(
    {onSession: (callback: typeof session) => ((session = callback), () => {})} as never,
    {home, onEdit: (callback: typeof edited) => ((edited = callback), () => {})} as never,
    {list} as never,
  );
  const edit = (revision: number, more = {}) => edited({mine: true, motion: false, revision, ...more});
  return {unsaved, home, list, edit, begins: (change: string) => session(change), worlds: () => [...unsaved.worlds.value.keys()]};
}

it('is what this page edited, and not what hands led along or others did', () => {
  const {edit, worlds} = page();
  edit(1, {mine: false});
  edit(2, {motion: true});
  expect(worlds()).toEqual([]);
  edit(3);
  expect(worlds()).toEqual([1]);
});

it('ends with a file that has the last edit, of that world alone', () => {
  const {unsaved, home, edit, worlds} = page();
  edit(3);
  home.value = 2;
  edit(1);
  edit(2);
  unsaved.saved(2, 1); // it was edited while it was saved
  unsaved.saved(1, 3);
  expect(worlds()).toEqual([2]);
  unsaved.saved(2, 2);
  expect(worlds()).toEqual([]);
});

it('ends with its world', () => {
  const {home, list, edit, begins, worlds} = page();
  edit(1);
  home.value = 2;
  edit(1);
  list.value = [{world: 2}];
  expect(worlds()).toEqual([2]);
  begins('back');
  expect(worlds()).toEqual([2]);
  begins('anew');
  expect(worlds()).toEqual([]);
});
