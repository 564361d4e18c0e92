// The timeline: where one is in the world's past, and what can be done from there.
//
//     0:05.0 · tick 300   ‹ ›   Ada pinned particles of flag …      Now   Branch…   Side by side   Edits   ×
//     ▒▒▒▒▒▒▬▬▬▬▬▬▬▬▬▬▬▬▬●▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬
import {useEffect, useState} from 'preact/hooks';

import type {Act} from '../../model/past/edits.js';
import type {Mark} from '../../model/past/strip.js';
import {Button, IconButton} from '../controls/button.js';
import {Toolbar} from '../controls/roving.js';
import {useStudio} from '../context.js';
import {errorWords} from '../errors.js';
import {formatCount} from '../forms/numbers.js';
import {copyLink, keyOf} from '../keys/verbs.js';
import {personColor} from '../names.js';
import {BesideButton} from './beside.js';
import {ReplayTools} from './replay.js';
import {EditsButton} from './edits.js';
import {goByEdit, Strip} from './strip.js';
import {actText, clockText, nameIn, secondsText, tickText, whoText} from './words.js';

export function Timeline({onClose}: {onClose: () => void}) {
  const studio = useStudio();
  const {app, ui} = studio;
  // Whoever looks on makes no world of this one.
  const looks = app.document.looking.value;
  const {past} = app;
  const [pointed, setPointed] = useState<Mark | null>(null);
  const [chosen, setChosen] = useState<Act | null>(null);
  useEffect(() => past.watch(), [past]);
  // Edits of another world are none of this one's.
  const log = past.log.value;
  useEffect(() => setChosen(null), [log]);
  const at = past.at.value;
  const act = pointed?.acts[0] ?? chosen;
  return (
    <section class={at === null ? 'panel timeline' : 'panel timeline past'} aria-label="Timeline">
      <div class="line-head">
        <Where />
        <Told act={act} more={pointed ? pointed.acts.length - 1 : 0} />
        <ReplayTools />
        <Toolbar class="line-tools" label="Timeline">
          <IconButton
            icon="left"
            name="Edit before"
            size="small"
            look="muted"
            onClick={() => goByEdit(app, false)}
          />
          <IconButton
            icon="right"
            name="Edit after"
            size="small"
            look="muted"
            disabled={at === null}
            onClick={() => goByEdit(app, true)}
          />
          {chosen && !looks && (
            <Button
              icon="cut"
              size="small"
              aria-label="Remove it…"
              data-tip="Create another world without this edit"
              onClick={() => {
                ui.branch.value = {tick: null, act: chosen};
                ui.dialog.value = 'branch';
              }}
            >
              {!ui.narrow.value && 'Remove it…'}
            </Button>
          )}
          {!looks && (
            <Button
              icon="branch"
              size="small"
              aria-label="Branch here…"
              data-tip="Create another world from this moment on"
              onClick={() => {
                ui.branch.value = {tick: at, act: null};
                ui.dialog.value = 'branch';
              }}
            >
              {!ui.narrow.value && 'Branch here…'}
            </Button>
          )}
          <IconButton
            icon="link"
            name="Copy a link to this moment"
            size="small"
            onClick={() => void copyLink(studio, at ?? app.document.tick.peek())}
          />
          <BesideButton />
          <EditsButton />
          <Button
            icon="play"
            size="small"
            look={at === null ? 'plain' : 'primary'}
            aria-label="Back to now"
            disabled={at === null}
            data-key={at === null ? undefined : 'Esc'}
            onClick={() => void past.back()}
          >
            {ui.narrow.value ? 'Now' : 'Back to now'}
          </Button>
          <IconButton
            icon="close"
            name="Close the timeline"
            hotkey={keyOf('timeline')}
            size="small"
            look="muted"
            onClick={onClose}
          />
        </Toolbar>
      </div>
      <Strip
        onPoint={setPointed}
        chosen={chosen?.first.sequence ?? null}
        onChoose={(mark) => {
          setChosen(mark.acts[0] ?? null);
          past.seek(mark.tick);
        }}
      />
    </section>
  );
}

function Where() {
  const {app} = useStudio();
  const {past, document} = app;
  const {tick_rate: rate} = document.settings.value;
  const at = past.at.value;
  // What one asked for, at once; the picture of it may take a moment.
  const tick = at ?? document.tick.value;
  const waits = at !== null && past.busy.value && at !== document.tick.value;
  const error = past.error.value;
  return (
    <span class="line-where numeric">
      <b>{at === null ? 'Now' : 'Then'}</b> {secondsText(tick, rate)} <span class="faint">tick {formatCount(tick)}</span>
      <span class="line-waits faint" aria-hidden="true">
        {waits ? ' …' : ''}
      </span>
      {!past.exact.value && !waits && (
        <span class="faint" data-tip="This part was computed by another version of the solver: it has pictures, but not every tick">
          {' '}
          shown as of tick {formatCount(document.tick.value)}
        </span>
      )}
      {error && (
        <span class="refused" role="alert">
          {' '}
          {errorWords(app, error)}
        </span>
      )}
    </span>
  );
}

// Who did what, of the mark that is pointed at.
function Told({act, more}: {act: Act | null; more: number}) {
  const {app} = useStudio();
  if (!act) return <span class="grow" />;
  const {first} = act;
  const color = personColor(first.session) + 1;
  return (
    <span class="grow line-told">
      <span class={`line-shape curve-${color} shape-${color}`} />
      <span class="line-words">
        <b>{whoText(first)}</b> {actText(act, nameIn(app))}
        {more > 0 && `, and ${formatCount(more)} more nearby`}
        <span class="faint numeric">
          {' '}
          {tickText(first.tick, app.document.settings.value.tick_rate)}, {clockText(first.at)}
        </span>
      </span>
    </span>
  );
}
