// The card of the first tour. It stands beside what it is about and blocks nothing; Escape ends it.
import {useLayoutEffect, useRef, useState} from 'preact/hooks';

import {Button} from '../controls/button.js';
import {useId} from '../controls/id.js';
import {useStudio} from '../context.js';
import {giveBack, placeToReturn} from '../keys/focus.js';
import {STEPS} from './steps.js';

const GAP = 12;
const MARGIN = 8;

export default function Tour({onClose}: {onClose: () => void}) {
  const {ui} = useStudio();
  const [at, setAt] = useState(0);
  const card = useRef<HTMLElement>(null);
  const next = useRef<HTMLDivElement>(null);
  const heading = useId();
  const step = STEPS[at]!;
  useLayoutEffect(() => {
    const before = placeToReturn();
    return () => giveBack(before);
  }, []);
  useLayoutEffect(() => {
    const box = card.current;
    const about = step.at === null ? null : document.querySelector(step.at);
    about?.classList.add('toured');
    const place = () => box && stand(box, about);
    place();
    next.current?.querySelector<HTMLElement>('[data-next]')?.focus({preventScroll: true});
    addEventListener('resize', place);
    return () => {
      removeEventListener('resize', place);
      about?.classList.remove('toured');
    };
  }, [step, ui.narrow.value]);
  const last = at === STEPS.length - 1;
  return (
    <section
      ref={card}
      class="tour panel"
      role="dialog"
      aria-labelledby={heading}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
    >
      <div aria-live="polite">
        <h2 id={heading}>{step.title}</h2>
        <p>{step.words}</p>
      </div>
      <div ref={next} class="tour-foot">
        <span class="grow faint numeric">
          {at + 1} of {STEPS.length}
        </span>
        {!last && (
          <Button size="small" onClick={onClose}>
            Skip the tour
          </Button>
        )}
        {at > 0 && (
          <Button size="small" onClick={() => setAt(at - 1)}>
            Back
          </Button>
        )}
        <Button size="small" look="primary" data-next="" onClick={() => (last ? onClose() : setAt(at + 1))}>
          {last ? 'Done' : 'Next'}
        </Button>
      </div>
    </section>
  );
}

// Puts the card below what it is about, or above it if there is more room. Without that, it stands at the left above the
// tools, so that the middle of the picture is free to be pulled at.
function stand(card: HTMLElement, about: Element | null): void {
  const {width, height} = card.getBoundingClientRect();
  const beside = about?.getBoundingClientRect();
  const tools = document.querySelector('.dock')?.getBoundingClientRect().top ?? innerHeight;
  const from = beside && beside.width > 0 ? beside : new DOMRect(0, tools, 0, 0);
  const below = from.bottom + GAP + height + MARGIN < innerHeight && from.top < innerHeight / 2;
  const top = below ? from.bottom + GAP : Math.max(MARGIN, from.top - GAP - height);
  const left = Math.max(MARGIN, Math.min(from.left + from.width / 2 - width / 2, innerWidth - width - MARGIN));
  card.style.left = `${left}px`;
  card.style.top = `${top}px`;
}
