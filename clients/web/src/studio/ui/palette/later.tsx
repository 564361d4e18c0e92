// The palette, which comes when somebody asks for it. What they type meanwhile is not lost.
import type {FunctionComponent} from 'preact';
import {useEffect, useRef, useState} from 'preact/hooks';

import {captureKeys} from '../keys/capture.js';

type Part = FunctionComponent<{start: string; onClose: () => void}>;

export function PaletteLater({onClose}: {onClose: () => void}) {
  const [Palette, setPalette] = useState<Part | null>(null);
  const typed = useRef('');
  useEffect(() => {
    const release = captureKeys(({key, ctrlKey, metaKey, altKey}) => {
      const isLetter = key.length === 1 && !ctrlKey && !metaKey && !altKey;
      if (isLetter) typed.current += key;
      return isLetter;
    });
    void import('./palette.js').then((part) => {
      release();
      setPalette(() => part.Palette);
    });
    return release;
  }, []);
  return Palette && <Palette start={typed.current} onClose={onClose} />;
}
