// The export that a person asked for: how many frames it has, how large the file will be, and what is wrong with it.
import {estimate, type Format} from '../../../record/index.js';
import type {Body} from '../../model/values.js';
import type {Range} from '../../model/past/strip.js';
import {formatCount} from '../forms/numbers.js';
import {bitsPerSecond} from './video.js';

export type Kind = Format | 'webm' | 'png';

export const KINDS: Readonly<Record<Kind, string>> = {
  glb: 'glTF, animated (.glb)',
  usda: 'USD (.usda)',
  pc2: 'Point caches for Blender (.pc2)',
  obj: 'A mesh for each frame (.obj)',
  npz: 'Arrays for NumPy (.npz)',
  webm: 'Video (.webm)',
  png: 'Picture (.png)',
};

export interface Asked {
  readonly kind: Kind;
  // From the past, or from now on.
  readonly from: 'past' | 'now';
  readonly first: number;
  readonly last: number;
  readonly seconds: number;
  readonly every: number;
  // null: as fast as in the world.
  readonly frameRate: number | null;
  readonly width: number;
  readonly height: number;
  readonly transparent: boolean;
}

export interface Plan extends Omit<Asked, 'from' | 'first' | 'last' | 'seconds' | 'frameRate'> {
  readonly range:
    | {readonly from: 'past'; readonly first: number; readonly last: number}
    | {readonly from: 'now'; readonly ticks: number};
  readonly frames: number;
  readonly frameRate: number;
  // About.
  readonly bytes: number;
}

export const SIZE_MOST = 8192;
const FRAMES_MOST = 65_535;
const PICTURE_BYTES_PER_PIXEL = 1;

// Numbers of a frame: three for each point that is written.
export function numbersOf(bodies: Iterable<Pick<Body, 'particles' | 'topology'>>): number {
  let sum = 0;
  for (const {particles, topology} of bodies) {
    sum += 3 * (topology?.skin ? topology.skin.weights.length / 4 : particles);
  }
  return sum;
}

// Why these numbers cannot be; undefined if they can.
export const refuse = {
  tick: (what: string, {first, last}: Range) => (value: number) =>
    Number.isInteger(value) && value >= first && value <= last
      ? undefined
      : `${what}: a whole number from ${formatCount(first)} to ${formatCount(last)}, which is what is kept.`,
  every: (value: number) => (Number.isInteger(value) && value >= 1 && value <= 1e6 ? undefined : 'A whole number from 1 to 1,000,000.'),
  seconds: (value: number) => (value > 0 && value <= 3600 ? undefined : 'More than 0 and at most 3,600 seconds.'),
  frameRate: (value: number) => (value >= 0.1 && value <= 1000 ? undefined : 'From 0.1 to 1,000 frames a second.'),
  size: (value: number) =>
    Number.isInteger(value) && value >= 16 && value <= SIZE_MOST ? undefined : `A whole number from 16 to ${formatCount(SIZE_MOST)} pixels.`,
} as const;

// The plan, or a sentence that says what is wrong.
export function planOf(asked: Asked, tickRate: number, numbers: number): Plan | string {
  const {kind, every, width, height} = asked;
  const ticks = asked.from === 'past' ? asked.last - asked.first : Math.max(1, Math.round(asked.seconds * tickRate));
  if (kind !== 'png' && ticks < 0) {
    return `The first tick, ${formatCount(asked.first)}, must not be after the last, ${formatCount(asked.last)}.`;
  }
  const frames = kind === 'png' ? 1 : Math.floor(ticks / every) + 1;
  const frameRate = asked.frameRate ?? tickRate / every;
  if (frames > FRAMES_MOST) {
    return `${formatCount(frames)} frames are too many; at most ${formatCount(FRAMES_MOST)}. Choose fewer ticks, or every second one.`;
  }
  if (kind === 'webm' && (width % 2 !== 0 || height % 2 !== 0)) {
    return 'The width and height of a video must be even.';
  }
  const bytes =
    kind === 'png'
      ? PICTURE_BYTES_PER_PIXEL * width * height
      : kind === 'webm'
        ? ((frames / frameRate) * bitsPerSecond({width, height, frameRate})) / 8
        : estimate(kind, frames, numbers);
  const range =
    asked.from === 'past'
      ? ({from: 'past', first: asked.first, last: asked.last} as const)
      : ({from: 'now', ticks} as const);
  return {kind, every, width, height, transparent: asked.transparent, range, frames, frameRate, bytes};
}
