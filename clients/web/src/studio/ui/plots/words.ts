// Words for plots.

// Whole words that all labels begin with: what the plot is about.
export function commonPrefix(labels: readonly string[]): string {
  const split = labels.map((label) => label.split(' '));
  const [first = []] = split;
  let words = 0;
  while (
    words < first.length - 1 &&
    split.every((other) => other.length > words + 1 && other[words] === first[words])
  )
    words += 1;
  return first.slice(0, words).join(' ');
}
