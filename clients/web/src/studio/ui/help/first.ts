// The tour is shown once to a new person, when there is something to see.
import {effect} from '@preact/signals';
import {useEffect} from 'preact/hooks';

import type {Studio} from '../context.js';
import {remembered} from '../memory.js';

const toured = remembered('toured', false);

export function useFirstTour({app, ui}: Studio): void {
  useEffect(() => {
    if (toured.peek() || new URLSearchParams(location.search).has('bench')) return undefined;
    let offered = false;
    return effect(() => {
      const {phase, bodies, viewOf} = app.document;
      const there = phase.value === 'joined' && bodies.value.size > 0 && viewOf.value === 0;
      if (!offered && there && ui.dialog.value === null) {
        offered = true;
        ui.tour.value = true;
      }
    });
  }, []);
}

export function endTour({ui}: Studio): void {
  ui.tour.value = false;
  toured.value = true;
}
