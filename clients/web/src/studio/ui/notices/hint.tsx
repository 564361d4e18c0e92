// What a first visit needs to know: that one can take hold of the cloth. It goes with the first drag, for good. Who
// drags in a world that stands still is told why nothing follows.
import {effect} from '@preact/signals';
import {useEffect, useState} from 'preact/hooks';

import {Icon} from '../controls/icons.js';
import {useStudio} from '../context.js';
import {remembered} from '../memory.js';

const wasDragged = remembered('dragged', false);
const AFTER_MS = 700;

export function Hint() {
  const {app, ui} = useStudio();
  const {viewState, document, session} = app;
  const [ready, setReady] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setReady(true), AFTER_MS);
    const off = effect(() => {
      if (viewState.dragged.value) wasDragged.value = true;
    });
    return () => {
      clearTimeout(timer);
      off();
    };
  }, [viewState]);
  const paused = document.phase.value === 'joined' && document.run.value.state === 'paused';
  const me = session.id.value;
  if (paused && [...document.grabs.value.values()].some((grab) => grab.session === me)) {
    return (
      <div class="hint" role="status">
        <Icon name="play" />
        <b>Paused</b>
        <span>it moves when time runs: press play, or Space</span>
      </div>
    );
  }
  if (document.readOnly.value !== '') return null;
  const something = document.phase.value === 'joined' && document.bodies.value.size > 0;
  if (
    !ready ||
    wasDragged.value ||
    !something ||
    viewState.tool.value !== 'grab' ||
    viewState.failure.value ||
    ui.sheet.value
  )
    return null;
  return (
    <div class="hint" role="status">
      <Icon name="drag" />
      <b>Drag it</b>
      <span>{paused ? 'press play, then drag it' : 'drag the cloth'}</span>
    </div>
  );
}
