// A dialog that is fetched when it is opened: what is rarely used costs nobody the time until the first picture.
import type {ComponentType} from 'preact';
import {useEffect, useState} from 'preact/hooks';

import {useStudio} from '../context.js';

interface Props {
  onClose: () => void;
}

export function Later({load, onClose}: Props & {load: () => Promise<{default: ComponentType<Props>}>}) {
  const {app} = useStudio();
  const [Made, setMade] = useState<ComponentType<Props> | null>(null);
  useEffect(() => {
    let wanted = true;
    load().then(
      (module) => wanted && setMade(() => module.default),
      () => {
        if (!wanted) return;
        app.notices.info('It could not be fetched from the server. Check the connection, and try again.');
        onClose();
      },
    );
    return () => {
      wanted = false;
    };
  }, []);
  return Made && <Made onClose={onClose} />;
}
