// The places at which particles are drawn, for forms that tell lengths or place things there.
import {useEffect, useState} from 'preact/hooks';

import type {App} from '../../../model/app.js';
import type {Point} from '../../../model/commands.js';
import type {Selected} from '../../../model/selection.js';
import type {Vec3} from '../../../model/values.js';
import {useStudio} from '../../context.js';

const READ_MS = 200;

export function placeOf(app: App, {body, particle}: Point): Vec3 | null {
  const drawn = app.view?.drawn(body);
  return drawn && 3 * particle + 2 < drawn.length
    ? [drawn[3 * particle] ?? 0, drawn[3 * particle + 1] ?? 0, drawn[3 * particle + 2] ?? 0]
    : null;
}

// Places of some particles, read a few times a second.
export function usePlaces(points: readonly Point[]): (Vec3 | null)[] {
  const {app} = useStudio();
  const [, setBeat] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setBeat((beat) => beat + 1), READ_MS);
    const release = app.frames.want('exact');
    return () => {
      clearInterval(timer);
      release();
    };
  }, []);
  return points.map((point) => placeOf(app, point));
}

// More are not connected at once.
export const MOST = 4096;

// The particles of a selection, or as many as can be connected: there may be half a million.
export function pointsOf(selected: Selected): Point[] {
  const points: Point[] = [];
  for (const [body, particles] of selected.particles) {
    for (let i = 0; i < particles.length && points.length <= MOST; i++) {
      points.push({body, particle: particles[i] ?? 0});
    }
  }
  return points;
}
