// Dragging without a pointer: takes hold of the selected particle, and the arrow keys pull it.
import {effect, signal} from '@preact/signals';

import type {App} from '../../model/app.js';
import {captureKeys} from './capture.js';
import type {Vec3} from '../../model/values.js';

const STEP_M = 0.05;

// What is held by keys now, for the words on the page; null: nothing.
export const heldByKeys = signal<{readonly body: number; readonly particle: number} | null>(null);

export function holdByKeys(app: App): void {
  if (heldByKeys.peek()) return;
  const first = [...app.selection.selected.peek().particles][0];
  const particle = first?.[1][0];
  if (!first || particle === undefined) {
    app.notices.info('Select a particle first, then grab it.');
    return;
  }
  const body = first[0];
  if (app.viewState.own.peek().get(`body:${body}`)?.locked) {
    app.notices.info('This is locked on this page. Unlock it first.');
    return;
  }
  const drawn = app.view?.drawn(body);
  if (!drawn) {
    app.notices.info('This particle cannot be seen, so it cannot be pulled.');
    return;
  }
  let target: Vec3 = [drawn[3 * particle] ?? 0, drawn[3 * particle + 1] ?? 0, drawn[3 * particle + 2] ?? 0];
  const hold = app.commands.grab({body, particle}, target, app.viewState.grabCompliance.peek());
  heldByKeys.value = {body, particle};
  app.viewState.dragged.value = true;

  let release: () => void = () => undefined;
  let stopWatching: () => void = () => undefined;
  const end = () => {
    release();
    stopWatching();
    heldByKeys.value = null;
    void hold.end();
  };
  void hold.refused.then((error) => {
    app.notices.error(error);
    end();
  });
  release = captureKeys((event) => {
    if (event.key === 'Enter' || event.key === 'Escape' || event.key.toLowerCase() === 'g') {
      end();
      return true;
    }
    const way = wayOf(app, event);
    if (!way) return false;
    const step = event.shiftKey ? 4 * STEP_M : STEP_M;
    target = [target[0] + step * way[0], target[1] + step * way[1], target[2] + step * way[2]];
    hold.move(target);
    return true;
  });
  // A world that is left ends every grab; who looks into the past lets go.
  stopWatching = effect(() => {
    const here = app.document.phase.value === 'joined' && app.document.readOnly.value === '';
    if (!here || app.session.state.value === 'closed') queueMicrotask(end);
  });
}

// Left, right, up, down as the camera sees them; Page Up and Page Down push away and pull near.
function wayOf(app: App, event: KeyboardEvent): Vec3 | null {
  const {position, target} = app.viewState.camera.peek();
  const [dx, dz] = [target[0] - position[0], target[2] - position[2]];
  const length = Math.hypot(dx, dz) || 1;
  const [fx, fz] = [dx / length, dz / length];
  switch (event.key) {
    case 'ArrowUp':
      return [0, 1, 0];
    case 'ArrowDown':
      return [0, -1, 0];
    case 'ArrowRight':
      return [-fz, 0, fx];
    case 'ArrowLeft':
      return [fz, 0, -fx];
    case 'PageUp':
      return [fx, 0, fz];
    case 'PageDown':
      return [-fx, 0, -fz];
    default:
      return null;
  }
}
