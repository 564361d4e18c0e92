// A value that changes with every frame, for what need not be drawn so often.
import {effect, type ReadonlySignal} from '@preact/signals';
import {useEffect, useState} from 'preact/hooks';

// As it is at first, and then as it was no longer ago than `ms`.
export function useCalm<T>(value: ReadonlySignal<T>, ms: number): T {
  const [shown, setShown] = useState(value.peek());
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let last = -Infinity;
    const tell = () => {
      timer = undefined;
      last = performance.now();
      setShown(() => value.peek());
    };
    const off = effect(() => {
      void value.value;
      timer ??= setTimeout(tell, Math.max(0, last + ms - performance.now()));
    });
    return () => {
      off();
      clearTimeout(timer);
    };
  }, [value, ms]);
  return shown;
}
