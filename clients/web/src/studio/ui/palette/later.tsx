// The palette, which comes when somebody asks for it.
import type {FunctionComponent} from 'preact';
import {useEffect, useState} from 'preact/hooks';

type Part = FunctionComponent<{onClose: () => void}>;

export function PaletteLater({onClose}: {onClose: () => void}) {
  const [Palette, setPalette] = useState<Part | null>(null);
  useEffect(() => void import('./palette.js').then((part) => setPalette(() => part.Palette)), []);
  return Palette && <Palette onClose={onClose} />;
}
