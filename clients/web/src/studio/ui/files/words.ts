// What the module refuses is said there in words that follow a file's name: here it becomes a sentence.
export function sentence(error: unknown, name = ''): string {
  const text = error instanceof Error ? error.message : String(error);
  const words = text.slice(name !== '' && text.startsWith(name) ? name.length : 0).replace(/^[,:] /, '');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${words.endsWith('.') ? '' : '.'}`;
}
