// A part of a panel that is fetched when it is first shown, so that the first page does not wait for it.
import type {ComponentType} from 'preact';
import {useEffect, useState} from 'preact/hooks';

export function later<P extends object>(load: () => Promise<ComponentType<P>>): (props: P) => preact.JSX.Element | null {
  let found: ComponentType<P> | null = null;
  return function Later(props: P) {
    const [Part, show] = useState<ComponentType<P> | null>(() => found);
    useEffect(() => {
      if (found) return;
      load()
        .then((part) => {
          found = part;
          show(() => part);
        })
        .catch(() => undefined); // the server is gone: tried again when the panel is next shown
    }, []);
    return Part && <Part {...props} />;
  };
}
