// Where the keyboard is after what the hand did.
//
// Who works with the pointer finds the keys of the page at the picture: a press of Space plays, and does not press once
// more what was clicked. Who works with the keyboard is kept where they were.
import {useEffect, useLayoutEffect, type MutableRef} from 'preact/hooks';

import type {App} from '../../model/app.js';
import {watchPresses} from './press.js';

let pointed = false;

// Whether the last thing that was done was done with the pointer.
export function byPointer(): boolean {
  return pointed;
}

export function focusPicture(): void {
  const picture = document.querySelector<HTMLElement>('.stage canvas');
  if (!picture) {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    return;
  }
  picture.focus({preventScroll: true});
  // The frame around the picture is for those who came by keyboard.
  picture.parentElement?.classList.remove('keyboard');
}

// Where the keyboard belongs when what opens now above the page is closed: where it was. Null for the picture, if the
// pointer opened it.
export function placeToReturn(): Element | null {
  return pointed || document.activeElement === document.body ? null : document.activeElement;
}

// What opened above the page is closed.
export function giveBack(before: Element | null): void {
  if (!pointed && before instanceof HTMLElement && before.isConnected) before.focus({preventScroll: true});
  else focusPicture();
}

export function useHands({gestures}: App): void {
  useEffect(() => {
    const unwatch = [watchPresses(() => gestures.begin()), gestures.watch(document)];
    const down = () => (pointed = true);
    const key = ({key: name}: KeyboardEvent) => {
      if (!/^(Shift|Control|Alt|Meta)$/.test(name)) pointed = false;
    };
    // A click by key has no detail. What lies above the page keeps the keyboard until it is closed.
    const click = (event: MouseEvent) => {
      if (event.detail > 0 && isPressed(event.target)) release();
    };
    const change = (event: Event) => {
      if (pointed && isList(event.target)) release();
    };
    document.addEventListener('pointerdown', down, true);
    document.addEventListener('keydown', key, true);
    addEventListener('click', click);
    addEventListener('change', change);
    return () => {
      unwatch.forEach((end) => end());
      document.removeEventListener('pointerdown', down, true);
      document.removeEventListener('keydown', key, true);
      removeEventListener('click', click);
      removeEventListener('change', change);
    };
  }, [gestures]);
}

function isPressed(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('.studio :is(button, [role="treeitem"])') !== null;
}

function isList(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('.studio :is(select, input[type="range"], input[type="color"])');
}

// Something that was opened by the click has the keyboard already.
function release(): void {
  const {activeElement} = document;
  if (!activeElement?.closest('.popover, .dialog, input[type="text"]')) focusPicture();
}

// Out of a field, to the keys of the page; Tab goes on from the field. A dialog keeps the keyboard.
export function leaveField(field: HTMLElement): void {
  if (!field.closest('.dialog')) field.blur();
}

// In a panel whose contents change while the keyboard is in it: when what had the focus is gone, its neighbour gets the focus. If
// the neighbours are gone too, the panel shows something else, and gets the focus itself: a key must not press what nobody chose.
export function useKeptFocus(panel: MutableRef<HTMLElement | null>, stops: string): void {
  useLayoutEffect(() => {
    const box = panel.current;
    if (!box) return undefined;
    let last: Element | null = null;
    let place = 0;
    let beside: (HTMLElement | undefined)[] = [];
    const here = () => [...box.querySelectorAll<HTMLElement>(stops)];
    const into = (event: FocusEvent) => {
      last = event.target as Element;
      const all = here();
      place = all.indexOf(last as HTMLElement);
      beside = [all[place - 1], all[place + 1]];
    };
    // The focus left by itself if what it left is still there when all that belongs to this moment is done.
    const out = () => {
      const left = last;
      setTimeout(() => {
        if (left === last && left?.isConnected) last = null;
      });
    };
    const mend = () => {
      if (!last || last.isConnected || pointed || document.activeElement !== document.body) return;
      const left = here();
      last = null;
      const near = beside.some((one) => one?.isConnected);
      ((near && left[Math.max(0, Math.min(place, left.length - 1))]) || box).focus({preventScroll: true});
    };
    const observer = new MutationObserver(mend);
    observer.observe(box, {childList: true, subtree: true});
    box.addEventListener('focusin', into);
    box.addEventListener('focusout', out);
    return () => {
      observer.disconnect();
      box.removeEventListener('focusin', into);
      box.removeEventListener('focusout', out);
    };
  }, [stops]);
}
