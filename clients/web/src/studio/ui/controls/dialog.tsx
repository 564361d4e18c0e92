// A dialog above the page, which keeps the keyboard until it is closed.
import type {ComponentChildren} from 'preact';
import {createPortal} from 'preact/compat';
import {useId, useLayoutEffect, useRef} from 'preact/hooks';

import {IconButton} from './button';

export interface DialogProps {
  title: string;
  width?: number;
  // Beside the picture rather than above it, which stays to be seen and turned.
  aside?: boolean;
  onClose: () => void;
  footer?: ComponentChildren;
  children: ComponentChildren;
}

const STOPS = 'button:not(:disabled), input:not(:disabled), select:not(:disabled), a[href], [tabindex="0"]';

export function Dialog({title, width, aside, onClose, footer, children}: DialogProps) {
  const element = useRef<HTMLDivElement>(null);
  const heading = useId();

  useLayoutEffect(() => {
    const box = element.current;
    if (!box) return;
    const before = document.activeElement;
    (
      box.querySelector<HTMLElement>('[data-first]') ??
      box.querySelector<HTMLElement>('.body input, .body button') ??
      box
    ).focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({preventScroll: true});
    };
  }, []);

  const keys = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === 'Escape') {
      event.preventDefault();
      onClose();
    }
    if (event.key !== 'Tab' || aside) return;
    const stops = [...(element.current?.querySelectorAll<HTMLElement>(STOPS) ?? [])];
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
        <header>
          <h2 id={heading}>{title}</h2>
          <IconButton icon="close" name="Close" size="small" look="muted" onClick={onClose} />
        </header>
        <div class="body scrolls">{children}</div>
        {footer && <footer>{footer}</footer>}
      </div>
    </div>,
    document.body,
  );
}
