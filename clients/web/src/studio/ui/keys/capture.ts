// Keys that somebody wants before all others, for a while.

type Taker = (event: KeyboardEvent) => boolean;

const takers: Taker[] = [];

function onKey(event: KeyboardEvent): void {
  const taker = takers[takers.length - 1];
  if (!taker?.(event)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

// The taker says whether it took the key. The function that is returned ends it.
export function captureKeys(taker: Taker): () => void {
  if (takers.length === 0) addEventListener('keydown', onKey, true);
  takers.push(taker);
  return () => {
    const at = takers.indexOf(taker);
    if (at >= 0) takers.splice(at, 1);
    if (takers.length === 0) removeEventListener('keydown', onKey, true);
  };
}
