// A part of the page that is fetched when it is shown for the first time, and is empty until it has come.
import type {ComponentType} from 'preact';
import {useEffect, useState} from 'preact/hooks';

export function later<Props extends object>(fetch: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let come: ComponentType<Props> | null = null;
  return function Later(props: Props) {
    const [Part, setPart] = useState<{part: ComponentType<Props>} | null>(come && {part: come});
    useEffect(() => {
      let shown = true;
      void fetch().then((part) => {
        come = part;
        if (shown) setPart({part});
      });
      return () => {
        shown = false;
      };
    }, []);
    return Part && <Part.part {...props} />;
  };
}
