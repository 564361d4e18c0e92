// Work aside that the page says how far it is, and that can be called off.
import type {UiState} from '../state.js';
import {aside} from './aside.js';
import type {Work} from './worker.js';

// Null if it was called off. Throws an Error for people.
export function shownAside<K extends keyof Work>(
  ui: UiState,
  name: string,
  kind: K,
  asked: Work[K]['asked'],
): Promise<Work[K]['done'] | null> {
  // Two at once would not both find a place on the page.
  ui.reading.peek()?.cancel?.();
  return new Promise((resolve, reject) => {
    const end = () => (ui.reading.value = null);
    const show = (doing: string, share: number | null) => (ui.reading.value = {name, doing, share, cancel});
    const stop = aside(kind, asked, {
      tell: show,
      done: (result) => {
        end();
        resolve(result);
      },
      failed: (words) => {
        end();
        reject(new Error(words));
      },
    });
    const cancel = () => {
      stop();
      end();
      resolve(null);
    };
    show(kind === 'write' ? 'Writing' : 'Reading', kind === 'read' ? 0 : null);
  });
}
