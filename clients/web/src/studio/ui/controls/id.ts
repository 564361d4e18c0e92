// An id of its own for an element, so that others can name it. (Preact's counts anew in each part of the page that stands
// apart, such as a dialog, and then two have the same.)
import {useState} from 'preact/hooks';

let last = 0;

export function useId(): string {
  const [id] = useState(() => `id-${++last}`);
  return id;
}
