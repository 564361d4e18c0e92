// One tip for the page: it tells the name (data-tip) and key (data-key) of what the pointer rests on or the
// keyboard has come to. Touch shows none.
import {createPortal} from 'preact/compat';
import {useEffect, useRef, useState} from 'preact/hooks';

const DELAY_MS = 450;
const WARM_MS = 600; // after one tip, the next needs no delay

interface Tip {
  text: string;
  key?: string;
  anchor: DOMRect;
}

export function Tooltip() {
  const [tip, setTip] = useState<Tip | null>(null);
  const element = useRef<HTMLDivElement>(null);

  useEffect(() => {
    let timer = 0;
    let hiddenAt = 0;
    let target: Element | null = null;
    const hide = () => {
      clearTimeout(timer);
      if (target) hiddenAt = performance.now();
      target = null;
      setTip(null);
    };
    const showSoon = (from: EventTarget | null, delay: number) => {
      const found = from instanceof Element ? from.closest('[data-tip]') : null;
      if (found === target) return;
      hide();
      if (!(found instanceof HTMLElement)) return;
      target = found;
      timer = window.setTimeout(() => {
        if (!found.isConnected || found.getAttribute('aria-expanded') === 'true') return;
        setTip({
          text: found.dataset.tip ?? '',
          key: found.dataset.key,
          anchor: found.getBoundingClientRect(),
        });
      }, delay);
    };
    const over = (event: PointerEvent) => {
      if (event.pointerType === 'touch') return;
      showSoon(event.target, performance.now() - hiddenAt < WARM_MS ? 0 : DELAY_MS);
    };
    const focus = (event: FocusEvent) => {
      if (event.target instanceof Element && event.target.matches(':focus-visible'))
        showSoon(event.target, DELAY_MS);
    };
    document.addEventListener('pointerover', over);
    document.addEventListener('pointerdown', hide, true);
    document.addEventListener('keydown', hide, true);
    document.addEventListener('focusin', focus);
    document.addEventListener('focusout', hide);
    return () => {
      hide();
      document.removeEventListener('pointerover', over);
      document.removeEventListener('pointerdown', hide, true);
      document.removeEventListener('keydown', hide, true);
      document.removeEventListener('focusin', focus);
      document.removeEventListener('focusout', hide);
    };
  }, []);

  useEffect(() => {
    const box = element.current;
    if (!box || !tip) return;
    const {width, height} = box.getBoundingClientRect();
    const left = tip.anchor.left + tip.anchor.width / 2 - width / 2;
    const below = tip.anchor.bottom + 8;
    box.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`;
    box.style.top = `${below + height > innerHeight - 8 ? tip.anchor.top - height - 8 : below}px`;
  }, [tip]);

  if (!tip) return null;
  return createPortal(
    <div class="tooltip" ref={element} aria-hidden="true">
      {tip.text}
      {tip.key && <kbd>{tip.key}</kbd>}
    </div>,
    document.body,
  );
}
