// Many things with one stop of the Tab key among them, and arrows from one to the next: toolbars and trees.
import type {ComponentChildren} from 'preact';
import {useLayoutEffect, useRef, type MutableRef} from 'preact/hooks';

function stopsIn(box: HTMLElement, which: string): HTMLElement[] {
  return [...box.querySelectorAll<HTMLElement>(which)].filter((stop) => stop.getClientRects().length > 0);
}

const TABBED = 'button:not(:disabled), input:not(:disabled), select:not(:disabled), a[href], [tabindex="0"]';

// Where the Tab key stops in a box, first to last.
export function tabStops(box: HTMLElement | null): HTMLElement[] {
  return box ? stopsIn(box, TABBED).filter((stop) => stop.tabIndex >= 0) : [];
}

// The stop is what had the focus last, else what is chosen, else the first.
export function useRoving(box: MutableRef<HTMLElement | null>, which: string): void {
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    let held: Element | null = null;
    const settle = () => {
      const stops = stopsIn(element, which);
      const stop =
        stops.find((one) => one === held) ??
        stops.find((one) => one.matches('[aria-selected="true"], [aria-checked="true"]')) ??
        stops[0];
      for (const one of stops) {
        const wanted = one === stop ? '0' : '-1';
        if (one.getAttribute('tabindex') !== wanted) one.setAttribute('tabindex', wanted);
      }
    };
    const focus = (event: FocusEvent) => {
      held = (event.target as Element).closest(which);
      settle();
    };
    settle();
    const observer = new MutationObserver(settle);
    observer.observe(element, {
      childList: true,
      subtree: true,
      attributeFilter: ['tabindex', 'disabled', 'aria-selected', 'aria-checked'],
    });
    addEventListener('resize', settle);
    element.addEventListener('focusin', focus);
    return () => {
      observer.disconnect();
      removeEventListener('resize', settle);
      element.removeEventListener('focusin', focus);
    };
  }, [which]);
}

// Goes `by` further in the box, or to an end of it; round and round if `round`.
export function step(box: HTMLElement, which: string, by: number, round: boolean): void {
  const stops = stopsIn(box, which);
  const at = stops.indexOf(document.activeElement as HTMLElement) + by;
  const last = stops.length - 1;
  const next =
    round && Number.isFinite(by) ? (at + stops.length) % stops.length : Math.max(0, Math.min(last, at));
  stops[next]?.focus();
}

const STOPS = ':is(button, input, select):not(:disabled)';
const STEPS: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  ArrowLeft: -1,
  Home: -Infinity,
  End: Infinity,
};

export function Toolbar(props: {label: string; class: string; children: ComponentChildren}) {
  const box = useRef<HTMLDivElement>(null);
  useRoving(box, STOPS);
  const walk = (event: KeyboardEvent) => {
    const by = STEPS[event.key];
    if (by === undefined || !box.current || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    event.stopPropagation();
    step(box.current, STOPS, by, true);
  };
  return (
    <div ref={box} class={props.class} role="toolbar" aria-label={props.label} onKeyDown={walk}>
      {props.children}
    </div>
  );
}
