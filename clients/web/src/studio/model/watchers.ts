// Work that is only done while somebody watches.
import type {Signal} from '@preact/signals';

// Counts one more that watches, until the function that is returned is called.
export function addWatcher(count: Signal<number>): () => void {
  count.value = count.peek() + 1;
  let released = false;
  return () => {
    if (!released) {
      released = true;
      count.value = count.peek() - 1;
    }
  };
}
