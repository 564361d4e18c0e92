// The module says why it refuses a file in words that follow the file's name. This makes a sentence of them.
export function sentence(error: unknown, name = ''): string {
  const text = error instanceof Error ? error.message : String(error);
  const words = text.slice(name !== '' && text.startsWith(name) ? name.length : 0).replace(/^[,:] /, '');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${words.endsWith('.') ? '' : '.'}`;
}
