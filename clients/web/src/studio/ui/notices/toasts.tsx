// Short words to the person: refusals near where they were asked for; others' edits; what the page did. They go by
// themselves, but not while the pointer or the keyboard is on them. One with a button stays until it is answered.
import {createPortal} from 'preact/compat';
import {useEffect, useRef, useState} from 'preact/hooks';

import type {Notice} from '../../model/notices.js';
import {Button, IconButton} from '../controls/button.js';
import {Icon} from '../controls/icons.js';
import {useStudio} from '../context.js';
import {focusPicture} from '../keys/focus.js';

const SHOWN_MS = {error: 8000, info: 4500};
const SHOWN_AT_MOST = 4;

export function Toasts() {
  const {notices} = useStudio().app;
  const list = notices.list.value;
  const placed = list.filter((notice) => notice.where !== null).slice(-1);
  const free = list.filter((notice) => notice.where === null);
  const asked = free.filter((notice) => notice.action !== null).slice(-SHOWN_AT_MOST);
  const told = free.filter((notice) => notice.action === null);
  const room = SHOWN_AT_MOST - asked.length;
  const stacked = [...asked, ...(room > 0 ? told.slice(-room) : [])].sort((a, b) => a.id - b.id);
  return createPortal(
    <>
      <div class="toasts" aria-live="polite">
        {stacked.map((notice) => (
          <Toast key={notice.id} notice={notice} />
        ))}
      </div>
      {placed.map((notice) => (
        <Toast key={notice.id} notice={notice} />
      ))}
    </>,
    document.body,
  );
}

function Toast({notice}: {notice: Notice}) {
  const {notices} = useStudio().app;
  const [kept, setKept] = useState(false);
  const element = useRef<HTMLDivElement>(null);
  const dismiss = () => notices.dismiss(notice.id);
  const act = () => {
    dismiss();
    notice.action?.run();
    focusPicture();
  };

  useEffect(() => {
    if (kept || notice.action) return undefined;
    const timer = setTimeout(dismiss, SHOWN_MS[notice.kind]);
    return () => clearTimeout(timer);
  }, [kept, notice.id]);

  useEffect(() => {
    const box = element.current;
    if (!box || !notice.where) return;
    const {width, height} = box.getBoundingClientRect();
    const above = notice.where.y - height - 10;
    box.style.left = `${Math.max(8, Math.min(notice.where.x - width / 2, innerWidth - width - 8))}px`;
    box.style.top = `${Math.max(8, Math.min(above < 8 ? notice.where.y + 14 : above, innerHeight - height - 8))}px`;
  }, [notice.id]);

  return (
    <div
      ref={element}
      class={`toast ${notice.kind}${notice.where ? ' placed' : ''}`}
      role={notice.kind === 'error' ? 'alert' : 'status'}
      onPointerEnter={() => setKept(true)}
      onPointerLeave={() => setKept(false)}
      onFocusIn={() => setKept(true)}
      onFocusOut={() => setKept(false)}
    >
      <Icon name={notice.kind === 'error' ? 'warning' : 'information'} />
      <span class="toast-text">{notice.text}</span>
      {notice.action && (
        <Button size="small" look="outlined" onClick={act}>
          {notice.action.name}
        </Button>
      )}
      <IconButton icon="close" name="Dismiss" size="small" look="muted" onClick={dismiss} />
    </div>
  );
}
