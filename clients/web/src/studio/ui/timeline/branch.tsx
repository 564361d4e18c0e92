// Making a world of a moment of the past, or of the past without an act: asks for its name, and opens it.
import {useRef, useState} from 'preact/hooks';

import {LIMITS, type WeftError} from '../../../lib/index.js';
import {Button} from '../controls/button.js';
import {Dialog} from '../controls/dialog.js';
import {useStudio, type Studio} from '../context.js';
import {errorWords} from '../errors.js';
import {freeName, withinBytes} from '../names.js';
import type {BranchAsked} from '../state.js';
import {actText, branchName, nameIn, refusedText, tickText, whoText} from './words.js';

// More room for ' 12' of a name that is taken.
const NUMBERED = 4;

export function BranchDialog({asked, onClose}: {asked: BranchAsked; onClose: () => void}) {
  const studio = useStudio();
  const {app} = studio;
  const input = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<WeftError | null>(null);
  const [rate] = useState(app.document.settings.peek().tick_rate);
  const {tick, act} = asked;
  const [start] = useState(() => {
    // Of now, too, it is said when that was.
    const wanted = branchName(app.document.name.peek(), act ? null : (tick ?? app.past.range.peek().last), rate);
    return freeName(
      withinBytes(wanted, LIMITS.name_bytes.value - NUMBERED),
      app.worlds.list.peek().map(({name}) => name),
    );
  });
  const make = async () => {
    setBusy(true);
    const failed = await branch(studio, asked, input.current?.value.trim() ?? '');
    setBusy(false);
    if (failed) setError(failed);
    else onClose();
  };
  return (
    <Dialog
      title={act ? 'Remove this edit' : 'Branch here'}
      width={420}
      onClose={onClose}
      footer={
        <>
          <span class="grow refused" role="alert">
            {error && errorWords(app, error)}
          </span>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="branch-form" look="primary" disabled={busy}>
            {busy ? 'Creating…' : 'Make'}
          </Button>
        </>
      }
    >
      <form
        id="branch-form"
        class="branch-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) void make();
        }}
      >
        <p>
          {act ? (
            <>
              A world as this one would be now if <b>{whoText(act.first)}</b> had not {pluperfect(act, app)} at{' '}
              {tickText(act.first.tick, rate)}. Everything else is done again as it was.
            </>
          ) : (
            <>
              A world of its own, paused, as this one {tick === null ? 'is now' : `was at ${tickText(tick, rate)}`}.
            </>
          )}{' '}
          The present world does not change.
        </p>
        <label class="field vector">
          <span class="name">Name</span>
          <input
            ref={input}
            class="input"
            data-first=""
            defaultValue={start}
            aria-invalid={error ? true : undefined}
            onFocus={(event) => event.currentTarget.select()}
          />
        </label>
      </form>
    </Dialog>
  );
}

// 'changed flag', which after 'had not' is right as it stands; who came and what came of it are the history's words.
function pluperfect(act: NonNullable<BranchAsked['act']>, app: Studio['app']): string {
  return actText(act, nameIn(app)).replace(/^gave /, 'given ');
}

// Makes it and opens it, seen as the world that it comes from was. Why not, if it was refused.
async function branch({app}: Studio, {tick, act}: BranchAsked, name: string): Promise<WeftError | null> {
  const pose = app.viewState.camera.peek();
  const made = await app.past.branch({
    ...(name === '' ? {} : {name}),
    ...(tick === null ? {} : {tick}),
    ...(act ? {without: Uint32Array.from(act.revisions)} : {}),
  });
  if (!made.ok) return made.error;
  await app.open(made.result.name);
  app.view?.goTo(pose, false);
  void app.worlds.refresh();
  const refusal = refusedText(made.result.refused);
  app.notices.info(refusal || `This is ${made.result.name}.`);
  return null;
}
