// A panel that opens beside what was pressed. Escape, a press elsewhere or a choice closes it, and the keyboard goes
// back to where it was, or to the picture if it was closed by the pointer. Arrow keys walk through it.
import type {ComponentChildren} from 'preact';
import {createPortal} from 'preact/compat';
import {useLayoutEffect, useRef} from 'preact/hooks';

import {giveBack, placeToReturn} from '../keys/focus.js';
import {tabStops} from './roving.js';

export interface PopoverProps {
  anchor: Element | null;
  name: string;
  role?: 'dialog' | 'menu';
  align?: 'start' | 'end' | 'center';
  class?: string;
  onClose: () => void;
  children: ComponentChildren;
}

const GAP = 6;
const MARGIN = 8;

export function Popover({
  anchor,
  name,
  role = 'dialog',
  align = 'start',
  class: extra,
  onClose,
  children,
}: PopoverProps) {
  const element = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  close.current = onClose;

  useLayoutEffect(() => {
    const box = element.current;
    if (!box || !anchor) return;
    const place = () => {
      const from = anchor.getBoundingClientRect();
      const {width, height} = box.getBoundingClientRect();
      const left =
        align === 'start'
          ? from.left
          : align === 'end'
            ? from.right - width
            : from.left + from.width / 2 - width / 2;
      const roomBelow = innerHeight - from.bottom - GAP - MARGIN;
      const roomAbove = from.top - GAP - MARGIN;
      const above = height > roomBelow && roomAbove > roomBelow;
      box.style.maxHeight = `${Math.max(120, above ? roomAbove : roomBelow)}px`;
      box.style.left = `${Math.max(MARGIN, Math.min(left, innerWidth - width - MARGIN))}px`;
      box.style.top = above
        ? `${Math.max(MARGIN, from.top - GAP - Math.min(height, roomAbove))}px`
        : `${from.bottom + GAP}px`;
    };
    place();
    const observer = new ResizeObserver(place);
    observer.observe(box);
    addEventListener('resize', place);
    return () => {
      observer.disconnect();
      removeEventListener('resize', place);
    };
  }, [anchor, align]);

  useLayoutEffect(() => {
    const box = element.current;
    if (!box) return;
    const before = placeToReturn();
    (box.querySelector<HTMLElement>('[data-first]') ?? tabStops(box)[0] ?? box).focus({preventScroll: true});
    const down = (event: PointerEvent) => {
      const target = event.target;
      if (!(target instanceof Node) || box.contains(target) || anchor?.contains(target)) return;
      if (target instanceof Element && target.closest('.popover, .veil')) return;
      close.current();
    };
    document.addEventListener('pointerdown', down, true);
    return () => {
      document.removeEventListener('pointerdown', down, true);
      if (box.contains(document.activeElement) || document.activeElement === document.body) giveBack(before);
    };
  }, [anchor]);

  const walk = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.stopPropagation();
      event.preventDefault();
      close.current();
      return;
    }
    // Behind its last stop is what opened it, not the end of the page.
    if (event.key === 'Tab') {
      const stops = tabStops(element.current);
      const edge = event.shiftKey ? stops[0] : stops[stops.length - 1];
      if (edge && document.activeElement !== edge && document.activeElement !== element.current) return;
      event.stopPropagation();
      event.preventDefault();
      close.current();
      return;
    }
    const typing = event.target instanceof HTMLInputElement;
    if (typing || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
    const stops = [
      ...(element.current?.querySelectorAll<HTMLElement>('button:not(:disabled), input, select') ?? []),
    ];
    const at = stops.indexOf(document.activeElement as HTMLElement);
    const next = stops[(at + (event.key === 'ArrowDown' ? 1 : -1) + stops.length) % stops.length];
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    next.focus();
  };

  return createPortal(
    <div
      ref={element}
      class={`popover scrolls ${extra ?? ''}`}
      role={role}
      aria-label={name}
      tabIndex={-1}
      onKeyDown={walk}
    >
      {children}
    </div>,
    document.body,
  );
}
