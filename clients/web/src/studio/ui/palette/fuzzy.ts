// How well a text fits what somebody types: each word of it must be there, with its letters in order.
//
//     'sti com' fits 'Stretch: compliance' less well than 'stiff compliance'
//      ▔▔▔ ▔▔▔

const FIRST = 8; // at the start of a word, of the first letter
const START = 4; // of another letter
const NEXT = 6; // right after the letter before it
const LETTER = 1;
const GAP = 0.2; // for each letter that is passed over, up to GAP_MOST
const GAP_MOST = 2;
const LENGTH = 0.02; // for each letter of the text: of two that fit alike, the shorter one

function isStart(text: string, at: number): boolean {
  return at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1]!);
}

// The score of one word whose first letter is at `from`; null if its letters are not there.
function scoreFrom(word: string, text: string, from: number): number | null {
  let score = 0;
  let last = -1;
  for (const letter of word) {
    const at = last < 0 ? from : text.indexOf(letter, last + 1);
    if (at < 0) return null;
    const passed = last < 0 ? 0 : at - last - 1;
    score += LETTER + (isStart(text, at) ? (last < 0 ? FIRST : START) : 0) + (last >= 0 && passed === 0 ? NEXT : 0);
    score -= Math.min(GAP_MOST, GAP * passed);
    last = at;
  }
  return score;
}

// Higher is better; null: it does not fit. Everything fits an empty query alike.
export function fits(query: string, text: string): number | null {
  const lower = text.toLowerCase();
  let sum = 0;
  for (const word of query.toLowerCase().split(/\s+/).filter(Boolean)) {
    let best: number | null = null;
    for (let at = lower.indexOf(word[0]!); at >= 0; at = lower.indexOf(word[0]!, at + 1)) {
      const score = scoreFrom(word, lower, at);
      if (score !== null && (best === null || score > best)) best = score;
    }
    if (best === null) return null;
    sum += best;
  }
  return query.trim() === '' ? 0 : sum - LENGTH * text.length;
}

const ENOUGH = 0.55;

// Those that fit, the best first; those that fit alike stay in their order. What fits far less well than the best is
// left out: its letters are there by chance.
export function found<T>(query: string, all: readonly T[], textOf: (one: T) => string): T[] {
  const fitting = all
    .flatMap((one) => {
      const score = fits(query, textOf(one));
      return score === null ? [] : [{one, score}];
    })
    .sort((a, b) => b.score - a.score);
  const least = ENOUGH * Math.max(0, fitting[0]?.score ?? 0);
  return fitting.filter(({score}) => score >= least || least === 0).map(({one}) => one);
}
