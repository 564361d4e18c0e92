// Particles by number: '0, 5-9', 'all'. Ascending, each once; or what is wrong with the text.
export function parseRanges(text: string, count: number): number[] | string {
  const found = new Set<number>();
  if (/^\s*(all|\*)\s*$/i.test(text)) return Array.from({length: count}, (_, i) => i);
  for (const part of text.split(/[,;\s]+/).filter(Boolean)) {
    const match = /^(\d+)(?:[-–](\d+))?$/.exec(part);
    if (!match) return `“${part}” is neither a number nor a range such as 5-9.`;
    const first = Number(match[1]);
    const last = Number(match[2] ?? match[1]);
    if (first > last) return `“${part}” ends before it begins.`;
    if (last >= count) return `There are particles 0 to ${count - 1}.`;
    for (let i = first; i <= last; ++i) found.add(i);
  }
  return found.size > 0 ? [...found].sort((a, b) => a - b) : 'Give particles, for example 0, 5-9, or all.';
}
