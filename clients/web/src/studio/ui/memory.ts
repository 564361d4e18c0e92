// What the page remembers of a person from visit to visit: signals that are kept in the browser.
import {effect, signal, type Signal} from '@preact/signals';

// A signal whose value outlives the visit. What is kept and is not of the start's type is forgotten.
type Widened<T> = T extends boolean ? boolean : T extends string ? string : number;

export function remembered<T extends boolean | string | number>(name: string, start: T): Signal<Widened<T>> {
  const kept = signal(start as unknown as Widened<T>);
  const key = `weft.${name}`;
  try {
    const text = localStorage.getItem(key);
    const value: unknown = text === null ? undefined : JSON.parse(text);
    if (typeof value === typeof start) kept.value = value as Widened<T>;
  } catch {
    // Nothing is kept, or nothing of use.
  }
  let first = true;
  effect(() => {
    const value = kept.value;
    if (first) {
      first = false;
      return;
    }
    try {
      localStorage.setItem(key, JSON.stringify(value));
    } catch {
      // It holds for this visit.
    }
  });
  return kept;
}
