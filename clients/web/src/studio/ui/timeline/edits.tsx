// Who did what, newest first; older pages come as one scrolls.
import {useEffect, useRef, useState} from 'preact/hooks';

import type {App} from '../../model/app.js';
import {stepsOf, takenBack, type Act} from '../../model/past/edits.js';
import {Button, IconButton} from '../controls/button.js';
import {Popover} from '../controls/popover.js';
import {said, useStudio} from '../context.js';
import {formatCount} from '../forms/numbers.js';
import {personColor} from '../names.js';
import {takeBack} from '../undo.js';
import {actText, clockText, nameIn, secondsText, whoText} from './words.js';

const ROWS = 100;
const NEAR_END_PX = 200;

export function EditsButton() {
  const {ui} = useStudio();
  const anchor = useRef<HTMLSpanElement>(null);
  const open = ui.menu.value === 'edits';
  return (
    <span ref={anchor}>
      <Button
        icon="list"
        size="small"
        aria-label="Edits"
        aria-haspopup="dialog"
        aria-expanded={open}
        data-tip="All edits and their authors"
        onClick={() => (ui.menu.value = open ? null : 'edits')}
      >
        {!ui.narrow.value && 'Edits'}
      </Button>
      {open && (
        <Popover
          anchor={anchor.current}
          name="Edits"
          align="end"
          class="edits-menu"
          onClose={() => (ui.menu.value = null)}
        >
          <Edits />
        </Popover>
      )}
    </span>
  );
}

function Edits() {
  const {app, ui} = useStudio();
  const [rows, setRows] = useState(ROWS);
  const list = useRef<HTMLOListElement>(null);
  const log = app.past.log.value;
  const acts = log.acts.value;
  const more = log.more.value;
  const shown = acts.slice(-rows).reverse();
  useEffect(() => {
    const box = list.current?.closest('.popover');
    const look = () => {
      if (!box || box.scrollHeight - box.scrollTop - box.clientHeight > NEAR_END_PX) return;
      if (rows < acts.length) setRows(rows + ROWS);
      else if (more) void said(app, log.older());
    };
    // What there is may not fill the box.
    look();
    box?.addEventListener('scroll', look);
    return () => box?.removeEventListener('scroll', look);
  }, [app, log, rows, acts.length, more]);
  const rate = app.document.settings.value.tick_rate;
  const nameOf = nameIn(app);
  const back = takenBack(acts);
  if (acts.length === 0 && !more) {
    return <p class="menu-foot faint">{log.known.value ? 'Nobody has edited this world yet.' : 'Looking…'}</p>;
  }
  return (
    <>
      <ol ref={list} class="edits-list" aria-label="Edits, newest first">
        {shown.map((act) => (
          <Row
            key={act.first.sequence}
            act={act}
            words={actText(act, nameOf)}
            at={secondsText(act.first.tick, rate)}
            back={stepsOf(act).every((revision) => back.has(revision))}
            onGo={() => app.past.seek(act.first.tick)}
            onTakeBack={(near) => void takeBackAct(app, act, near)}
            onTakeOut={() => {
              ui.branch.value = {tick: null, act};
              ui.dialog.value = 'branch';
              ui.menu.value = null;
            }}
          />
        ))}
      </ol>
      {(more || rows < acts.length) && (
        <p class="menu-foot faint" role="status">
          Scroll down for older ones.
        </p>
      )}
    </>
  );
}

// Ends where a step is refused.
async function takeBackAct(app: App, act: Act, near: Element): Promise<void> {
  for (const revision of stepsOf(act))
    if (!(await takeBack(app, {revision}, near))) return;
}

function Row(props: {
  act: Act;
  words: string;
  at: string;
  // It does not stand any more.
  back: boolean;
  onGo: () => void;
  onTakeBack: (near: Element) => void;
  onTakeOut: () => void;
}) {
  const {act, words, at, back} = props;
  const looks = useStudio().app.document.looking.value;
  const {first} = act;
  const color = personColor(first.session) + 1;
  return (
    <li class="edits-row">
      <button
        type="button"
        class="menu-item"
        onClick={props.onGo}
      >
        <span class={`line-shape curve-${color} shape-${color}`} aria-hidden="true" />
        <span class="grow edits-words">
          <span>
            <b>{whoText(first)}</b> {words}
            {back && <span class="faint"> · undone</span>}
          </span>
          <span class="faint numeric">
            {clockText(first.at)} · {at}
            <span class="unseen">, tick {formatCount(first.tick)}: go there</span>
          </span>
        </span>
      </button>
      {first.undoes + first.redoes === 0 && !looks && (
        <IconButton
          icon="undo"
          name="Undo this"
          size="small"
          look="muted"
          disabled={back}
          onClick={(event) => props.onTakeBack(event.currentTarget)}
        />
      )}
      {!looks && (
        <IconButton
          icon="cut"
          name="Remove this edit…"
          size="small"
          look="muted"
          onClick={props.onTakeOut}
        />
      )}
    </li>
  );
}
