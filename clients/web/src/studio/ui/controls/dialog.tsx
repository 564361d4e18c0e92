// A dialog above the page, which keeps the keyboard until it is closed.
import type {ComponentChildren} from 'preact';
import {createPortal} from 'preact/compat';
import {useLayoutEffect, useRef} from 'preact/hooks';

import {giveBack, placeToReturn} from '../keys/focus.js';
import {IconButton} from './button';
import {tabStops} from './roving.js';
import {useId} from './id';

export interface DialogProps {
  title: string;
  width?: number;
  // Beside the picture rather than above it, which stays to be seen and turned.
  aside?: boolean;
  // To be read: nothing in it takes the keyboard, so that it is itself what scrolls by keys.
  still?: boolean;
  onClose: () => void;
  footer?: ComponentChildren;
  children: ComponentChildren;
}

export function Dialog({title, width, aside, still, onClose, footer, children}: DialogProps) {
  const element = useRef<HTMLDivElement>(null);
  const heading = useId();

  useLayoutEffect(() => {
    const box = element.current;
    if (!box) return;
    const before = placeToReturn();
    (
      box.querySelector<HTMLElement>('[data-first]') ??
      box.querySelector<HTMLElement>('.body input, .body button') ??
      box
    ).focus();
    return () => giveBack(before);
  }, []);

  const keys = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === 'Escape') {
      event.preventDefault();
      onClose();
    }
    if (event.key !== 'Tab' || aside) return;
    const stops = tabStops(element.current);
    const edge = event.shiftKey ? stops[0] : stops[stops.length - 1];
    if (document.activeElement !== edge && stops.includes(document.activeElement as HTMLElement)) return;
    event.preventDefault();
    (event.shiftKey ? stops[stops.length - 1] : stops[0])?.focus();
  };

  return createPortal(
    <div
      class={aside ? 'veil aside' : 'veil'}
      onPointerDown={(event) => {
        if (event.target === event.currentTarget && !aside) onClose();
      }}
    >
      <div
        ref={(box) => {
          element.current = box;
          if (width) box?.style.setProperty('--dialog-width', `${width}px`);
        }}
        class="dialog"
        role="dialog"
        aria-modal={!aside}
        aria-labelledby={heading}
        tabIndex={-1}
        onKeyDown={keys}
      >
        <div class="dialog-head">
          <h2 id={heading}>{title}</h2>
          <IconButton icon="close" name="Close" size="small" look="muted" onClick={onClose} />
        </div>
        <div class="body scrolls" tabIndex={still ? 0 : undefined}>
          {children}
        </div>
        {footer && <footer>{footer}</footer>}
      </div>
    </div>,
    document.body,
  );
}
