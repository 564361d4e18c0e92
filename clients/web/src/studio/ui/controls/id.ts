// A unique id for an element, so that others can refer to it. (Preact's ids are unique only within a part of the page
// that is rendered apart, such as a dialog.)
import {useState} from 'preact/hooks';

let last = 0;

export function useId(): string {
  const [id] = useState(() => `id-${++last}`);
  return id;
}
