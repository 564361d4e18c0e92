// The past as a strip: where a tick is on it, what of it is exact, where time stood still, and edits as marks that do
// not lie on each other. Nothing here knows a page; places are shares of the strip's length.
import type {HistorySpan} from '../../../lib/index.js';
import type {Act, PastEdit} from './edits.js';

export interface Range {
  readonly first: number;
  // No less than `first`.
  readonly last: number;
}

// From 0 at the first tick to 1 at the last.
export function shareOf(tick: number, {first, last}: Range): number {
  return last > first ? Math.max(0, Math.min(1, (tick - first) / (last - first))) : 1;
}

// The tick at a share of the strip, which may lie beside it.
export function tickAt(share: number, {first, last}: Range): number {
  return Math.round(first + Math.max(0, Math.min(1, share)) * (last - first));
}

export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly exact: boolean;
}

// What is exact and what is not, from end to end; what a newer solver added is exact until somebody says otherwise.
export function stretchesOf(spans: readonly HistorySpan[], range: Range): Stretch[] {
  const stretches: {from: number; to: number; exact: boolean}[] = [];
  const put = (from: number, to: number, exact: boolean) => {
    const last = stretches[stretches.length - 1];
    if (last && last.exact === exact) {
      last.to = Math.max(last.to, to);
    } else if (to > from || stretches.length === 0) {
      stretches.push({from, to, exact});
    }
  };
  let reached = 0;
  for (const {first_tick: first, last_tick: last, exact} of spans) {
    const [from, to] = [shareOf(first, range), shareOf(last, range)];
    put(Math.max(reached, from), to, exact);
    reached = Math.max(reached, to);
  }
  if (reached < 1) {
    put(reached, 1, true);
  }
  return stretches;
}

// A tick at which the world stood still for that long, at least. Edits at one tick tell, as far as they go, and so does
// who saw it stand.
export interface Stop {
  readonly tick: number;
  readonly seconds: number;
}

const STOP_S = 2;

// Edits by sequence; stops in the order of their ticks, one for each.
export function stopsOf(edits: readonly PastEdit[], seen: readonly Stop[] = []): Stop[] {
  const longest = new Map<number, number>();
  const put = ({tick, seconds}: Stop) => {
    if (seconds >= STOP_S) {
      longest.set(tick, Math.max(longest.get(tick) ?? 0, seconds));
    }
  };
  for (let from = 0, to = 0; from < edits.length; from = to) {
    const {tick, at} = edits[from]!;
    for (to = from; to < edits.length && edits[to]!.tick === tick; to++) {
      // Edits at one boundary.
    }
    put({tick, seconds: edits[to - 1]!.at - at});
  }
  seen.forEach(put);
  return [...longest].map(([tick, seconds]) => ({tick, seconds})).sort((a, b) => a.tick - b.tick);
}

// Acts that lie so near each other that one mark stands for them.
export interface Mark {
  // Of the first.
  readonly share: number;
  readonly tick: number;
  readonly acts: readonly Act[];
}

// Marks no nearer to each other than `gap`, a share of the strip. Acts by sequence.
export function marksOf(acts: readonly Act[], range: Range, gap: number): Mark[] {
  const marks: {share: number; tick: number; acts: Act[]}[] = [];
  for (const act of acts) {
    const {tick} = act.first;
    if (tick < range.first) {
      continue;
    }
    const share = shareOf(tick, range);
    const last = marks[marks.length - 1];
    if (last && share - last.share < gap) {
      last.acts.push(act);
    } else {
      marks.push({share, tick, acts: [act]});
    }
  }
  return marks;
}

// The nearest tick with an edit before or after another; null where there is none. Acts by sequence, so by tick.
export function nextEditTick(acts: readonly Act[], tick: number, forward: boolean): number | null {
  let low = 0;
  let high = acts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const at = acts[middle]!.first.tick;
    if (forward ? at <= tick : at < tick) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return (forward ? acts[low] : acts[low - 1])?.first.tick ?? null;
}
