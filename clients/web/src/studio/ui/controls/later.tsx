// Parts of the page that are rarely needed: each is fetched when it is shown for the first time, and is empty until then.
import type {ComponentType} from 'preact';
import {useEffect, useState} from 'preact/hooks';

import {useStudio} from '../context.js';

export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null;
  return function Later(props: Props) {
    const {notices} = useStudio().app;
    const [Part, show] = useState<ComponentType<Props> | null>(() => loaded);
    useEffect(() => {
      let wanted = loaded === null;
      if (wanted) {
        load().then(
          (one) => {
            loaded = one;
            if (wanted) show(() => one);
          },
          () => {
            if (!wanted) return;
            notices.info('A part of the page could not be fetched. Check the connection, and try again.');
            // A dialog that never came is not open.
            (props as {onClose?: () => void}).onClose?.();
          },
        );
      }
      return () => {
        wanted = false;
      };
    }, [notices]);
    return Part && <Part {...props} />;
  };
}
