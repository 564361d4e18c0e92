// What can be plotted of what is selected: a name, a unit, and how to read it from a frame.
import {KINDS, type Chunk, type Frame} from '../../lib/index.js';
import type {WorldDocument} from './document.js';
import {distance, nearestOnRail} from './geometry.js';
import {apartOf, measuredOf} from './measured.js';
import type {Selected} from './selection.js';
import {blend} from './table.js';
import type {Body, Constraint, Vec3} from './values.js';

export interface Channel {
  // Tells channels apart, and one selection from another.
  readonly key: string;
  readonly label: string;
  readonly unit: string;
  // NaN where the frame does not tell.
  read(frame: Frame): number;
}

const THINGS_AT_MOST = 3;

// Where a particle is, or null.
export function particleIn(frame: Frame, body: number, particle: number): Vec3 | null {
  for (const chunk of frame.bodies) {
    const at = 3 * (particle - chunk.first);
    const {positions} = chunk;
    if (chunk.body === body && positions && at >= 0 && at < positions.length) {
      return [positions[at], positions[at + 1], positions[at + 2]];
    }
  }
  return null;
}

// Speed from two frames: the stream need not carry velocities for a plot.
function speedReader(body: number, particle: number): (frame: Frame) => number {
  let before: {time: number; at: Vec3} | null = null;
  return (frame) => {
    const at = particleIn(frame, body, particle);
    const last = before;
    before = at && {time: frame.time, at};
    return at && last && frame.time > last.time ? distance(at, last.at) / (frame.time - last.time) : NaN;
  };
}

function nameOf(body: Body | undefined, id: number): string {
  return body && body.name !== '' ? body.name : `${body?.kind ?? 'body'} ${id}`;
}

function particleChannels(document: WorldDocument, body: number, particle: number): Channel[] {
  const name = `${nameOf(document.bodies.peek().get(body), body)} #${particle}`;
  const coordinate = (axis: 0 | 1 | 2): Channel => ({
    key: `particle:${body}:${particle}:${'xyz'[axis]}`,
    label: `${name} ${'xyz'[axis]}`,
    unit: 'm',
    read: (frame) => particleIn(frame, body, particle)?.[axis] ?? NaN,
  });
  return [
    coordinate(0),
    coordinate(1),
    coordinate(2),
    {
      key: `particle:${body}:${particle}:speed`,
      label: `${name} speed`,
      unit: 'm/s',
      read: speedReader(body, particle),
    },
  ];
}

function chunksOf(frame: Frame, body: number): readonly Chunk[] {
  return frame.bodies.filter((chunk) => chunk.body === body);
}

// Mean of the positions along an axis, and their greatest extent along it.
function bodyChannels(body: Body): Channel[] {
  const name = nameOf(body, body.body);
  const over = (frame: Frame, axis: number, take: (value: number) => void) => {
    for (const {positions} of chunksOf(frame, body.body)) {
      for (let i = axis; positions && i < positions.length; i += 3) {
        take(positions[i]);
      }
    }
  };
  const mean = (frame: Frame, axis: number): number => {
    let sum = 0;
    let count = 0;
    over(frame, axis, (value) => {
      sum += value;
      count++;
    });
    return sum / count;
  };
  const axes: Channel[] = [0, 1, 2].map((axis) => ({
    key: `body:${body.body}:${'xyz'[axis]}`,
    label: `${name} mean ${'xyz'[axis]}`,
    unit: 'm',
    read: (frame) => mean(frame, axis),
  }));
  const lowest: Channel = {
    key: `body:${body.body}:lowest`,
    label: `${name} lowest y`,
    unit: 'm',
    read: (frame) => {
      let least = Infinity;
      over(frame, 1, (value) => {
        least = Math.min(least, value);
      });
      return Number.isFinite(least) ? least : NaN;
    },
  };
  return [...axes, lowest];
}

function pointsOf(frame: Frame, constraint: Constraint): Vec3[] | null {
  const points: Vec3[] = [];
  for (let i = 0; i < constraint.particles.length; i++) {
    const at = particleIn(frame, constraint.bodies[i], constraint.particles[i]);
    if (!at) {
      return null;
    }
    points.push(at);
  }
  return points;
}

// Places along the rail of a ring; null if not all of it is in the frame.
function railOf(frame: Frame, {bodies, particles}: Constraint): number[] | null {
  const rail: number[] = [];
  for (let particle = particles[1]; particle <= particles[2]; particle++) {
    const at = particleIn(frame, bodies[1], particle);
    if (!at) {
      return null;
    }
    rail.push(...at);
  }
  return rail;
}

function constraintChannels(document: WorldDocument, id: number): Channel[] {
  const constraint = document.constraints.find(id);
  if (!constraint) {
    return [];
  }
  const name = `${constraint.type} ${id}`;
  const {type, rest, ratio, gradients} = constraint;
  const measured = measuredOf(type);
  const measure = (key: string, unit: string, of: (value: number) => number): Channel => ({
    key: `constraint:${id}:${key}`,
    label: `${name} ${key.replaceAll('_', ' ')}`,
    unit,
    read: (frame) => {
      const points = pointsOf(frame, constraint);
      const flat = points?.flat();
      if (flat) blend(flat, constraint.weights);
      const rail = flat && KINDS[type].c === 'off' ? railOf(frame, constraint) : null;
      if (flat && rail) nearestOnRail(rail, 0, rail.length / 3 - 1, flat);
      return flat ? of(measured.of(flat, ratio, gradients)) : NaN;
    },
  });
  const {as, unit, error} = KINDS[type].told;
  return [
    measure(measured.name, measured.unit, (value) => value),
    ...(error ? [measure(error.name, as === 'relative' ? '' : unit, (value) => apartOf(type, rest, value))] : []),
  ];
}

// Of the first few things selected: particles before constraints before bodies.
export function channelsOf(selected: Selected, document: WorldDocument): Channel[] {
  const makers: (() => Channel[])[] = [];
  for (const [body, particles] of selected.particles) {
    particles.subarray(0, THINGS_AT_MOST).forEach((particle) => {
      makers.push(() => particleChannels(document, body, particle));
    });
  }
  for (const id of selected.constraints.keys()) {
    makers.push(() => constraintChannels(document, id));
  }
  for (const id of selected.bodies) {
    const body = document.bodies.peek().get(id);
    if (body) {
      makers.push(() => bodyChannels(body));
    }
  }
  return makers.slice(0, THINGS_AT_MOST).flatMap((make) => make());
}
