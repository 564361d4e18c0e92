// The browser tells copy, cut and paste by events of its own, with the text that is pasted and without asking for a
// permission. In a field, in a dialog and where text is selected they are the browser's.
import {useEffect} from 'preact/hooks';

import type {Studio} from '../context.js';
import {refusePast} from '../keys/verbs.js';

export function useClipboard(studio: Studio): void {
  useEffect(() => {
    const {ui, app} = studio;
    const isOurs = (event: ClipboardEvent) =>
      !event.defaultPrevented &&
      ui.dialog.peek() === null &&
      app.document.world.peek() !== 0 &&
      !(event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]'));
    const hasText = () => (getSelection()?.toString() ?? '') !== '';
    const copied = (event: ClipboardEvent) => {
      if (!isOurs(event) || hasText()) return;
      event.preventDefault();
      void import('./clip.js').then(({copy, cut}) => void (event.type === 'cut' ? cut : copy)(studio));
    };
    const pasted = (event: ClipboardEvent) => {
      // Files are dropped; a text alone is pasted.
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (!isOurs(event) || text === '') return;
      event.preventDefault();
      if (app.document.readOnly.peek() !== '') refusePast(app);
      else void import('./clip.js').then(({paste}) => paste(studio, text));
    };
    document.addEventListener('copy', copied);
    document.addEventListener('cut', copied);
    document.addEventListener('paste', pasted);
    return () => {
      document.removeEventListener('copy', copied);
      document.removeEventListener('cut', copied);
      document.removeEventListener('paste', pasted);
    };
  }, [studio]);
}
