// One chip says how the page and the world are; a press on it shows the details. What can be done at once has a button beside it.
import {useRef, useState} from 'preact/hooks';

import {Button} from '../controls/button.js';
import {Icon, type IconName} from '../controls/icons.js';
import {Popover} from '../controls/popover.js';
import {said, useStudio} from '../context.js';
import {Details, sentenceOf} from './details.js';
import {factsOf, statusOf, type StatusKind} from './status.js';

const ICONS: Partial<Record<StatusKind, IconName>> = {
  reconnecting: 'unplugged',
  closed: 'unplugged',
  stopped: 'warning',
  past: 'history',
  watching: 'eye',
  fixed: 'warning',
  slow: 'gauge',
  late: 'gauge',
  differed: 'warning',
  warning: 'warning',
};

// serious: only what a person has to know, where panels are hidden or the page is a part of another one.
export function StatusChip({serious = false}: {serious?: boolean}) {
  const {app} = useStudio();
  const anchor = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const status = statusOf(factsOf(app));
  if (!status || (serious && status.look !== 'danger' && !WANTED.includes(status.kind))) return null;
  const {kind, look, text, note} = status;
  const icon = ICONS[kind];
  const urgent = kind === 'stopped' || kind === 'reconnecting' || kind === 'closed';
  return (
    <div ref={anchor} class={`status panel ${look}`}>
      <button
        type="button"
        class="button status-words"
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-label={`Status: ${text} ${note}`.trim()}
        data-tip="How the world and this page are"
        onClick={() => setOpen(!open)}
      >
        {icon ? <Icon name={icon} /> : <span class={`dot ${kind === 'live' ? 'playing' : ''}`} />}
        <span class="status-text">{text}</span>{' '}
        {note && <span class="status-note numeric">{note}</span>}
      </button>
      <Act kind={kind} />
      <span class="unseen" role={urgent ? 'alert' : 'status'}>
        {look === 'calm' ? '' : sentenceOf(app, status)}
      </span>
      {open && (
        <Popover anchor={anchor.current} name="Status" align="start" class="status-menu" onClose={() => setOpen(false)}>
          <Details status={status} />
        </Popover>
      )}
    </div>
  );
}

const WANTED: readonly StatusKind[] = ['reconnecting', 'closed', 'past', 'fixed', 'slow'];

function Act({kind}: {kind: StatusKind}) {
  const {app} = useStudio();
  switch (kind) {
    case 'reconnecting':
    case 'closed':
      return (
        <Button size="small" look="outlined" onClick={() => app.session.retry()}>
          Try now
        </Button>
      );
    case 'stopped':
      return app.access.controls.value ? (
        <Button
          size="small"
          look="outlined"
          onClick={(event) => void said(app, app.commands.reset(), event.currentTarget)}
        >
          Reset
        </Button>
      ) : null;
    case 'past':
      return (
        <Button size="small" look="outlined" data-key="Esc" onClick={() => void app.past.back()}>
          Back to now
        </Button>
      );
    default:
      return null;
  }
}
