// A field that is left says what was typed in it. That changes the page: a slider comes, a note goes, a button moves.
//
// If a press of the pointer on a button leaves the field, the pointer would then be let go above something else, and the
// browser would tell no click. So what such a field says waits until the click is about to be told, or until the pointer
// was let go without one. A press on another field or on the picture makes nothing wait: it acts at once, and comes after
// what was typed.
const CLICKED = 'button, a, summary, [role="treeitem"]';

let pressed = false;
let waiting: (() => void)[] = [];
let letGo: ReturnType<typeof setTimeout> | undefined;
// Called when what a field says has run: what comes next is no part of it.
let hasRun = () => {};

// Runs it now, or before the click that the present press may become.
export function beforeClick(run: () => void): void {
  if (pressed) {
    waiting.push(run);
  } else {
    run();
    hasRun();
  }
}

function settle(): void {
  clearTimeout(letGo);
  pressed = false;
  const now = waiting;
  waiting = [];
  now.forEach((run) => run());
  if (now.length > 0) hasRun();
}

function begin({target}: Event): void {
  settle();
  pressed = target instanceof Element && target.closest(CLICKED) !== null;
}

// A click follows at once if there is one. A finger presses as a mouse only after it was lifted.
function end(): void {
  clearTimeout(letGo);
  letGo = setTimeout(settle);
}

const HEARD: readonly (readonly [string, (event: Event) => void])[] = [
  ['pointerdown', begin],
  ['mousedown', begin],
  ['pointerup', end],
  ['mouseup', end],
  ['pointercancel', settle],
  ['contextmenu', settle],
  ['click', settle],
];

// Watches the page; returns what ends that.
export function watchPresses(ran: () => void): () => void {
  hasRun = ran;
  HEARD.forEach(([name, heard]) => document.addEventListener(name, heard, true));
  return () => {
    HEARD.forEach(([name, heard]) => document.removeEventListener(name, heard, true));
    settle();
    hasRun = () => {};
  };
}
