// Parts of the page that are rarely needed: their code is loaded when they are shown first.
import type {ComponentType} from 'preact';
import {useEffect, useState} from 'preact/hooks';

import {useStudio} from '../context.js';

export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null;
  return function Later(props: Props) {
    const {notices} = useStudio().app;
    const [Shown, show] = useState<ComponentType<Props> | null>(() => loaded);
    useEffect(() => {
      if (loaded) return;
      load().then(
        (one) => show(() => (loaded = one)),
        () => notices.info('A part of the page could not be loaded. Reload the page to try again.'),
      );
    }, [notices]);
    return Shown ? <Shown {...props} /> : null;
  };
}
