// Colours of the scene in both themes. Bodies take theirs in turn, by id, so that everybody sees the same.
import {Color, SRGBColorSpace} from 'three';
import {KINDS} from '../../lib/index.js';
import type {Background} from '../model/viewstate.js';
import {byKind, type ConstraintKind} from '../model/values.js';
import type {Rgb} from './strain.js';

export interface SceneTheme {
  readonly skyTop: Color;
  readonly skyHorizon: Color;
  readonly skyBottom: Color;
  readonly ground: Color;
  readonly gridFine: Color;
  readonly gridCoarse: Color;
  readonly gridStrength: number;
  readonly collider: Color;
  readonly key: Color;
  readonly keyStrength: number;
  readonly fill: Color;
  readonly fillStrength: number;
  readonly hemiSky: Color;
  readonly hemiGround: Color;
  readonly hemiStrength: number;
  readonly shadowStrength: number;
  readonly bodies: readonly Color[];
  // Of bodies while their strain is shown.
  readonly plain: Color;
  // Towards which the other side of a cloth goes.
  readonly backLightness: number;
  readonly accent: Color;
  readonly wire: Color;
  readonly pin: Color;
  // The colour of pins that follow a collider.
  readonly led: Color;
  readonly grab: Color;
  readonly others: Color;
  readonly velocity: Color;
  readonly contacts: {readonly touching: Color; readonly held: Color; readonly crossed: Color};
  readonly wind: Color;
  readonly kinds: Readonly<Record<ConstraintKind, Color>>;
  readonly strain: {readonly cold: Color; readonly calm: Color; readonly hot: Color};
}

function color(hex: string): Color {
  return new Color(hex);
}

const HUES_LIGHT = [
  '#d9583f',
  '#3c6fb4',
  '#e0a33a',
  '#3f8f7b',
  '#8a5fa8',
  '#c85c86',
  '#6d8f3c',
  '#4a9fc4',
  '#b0744a',
  '#5b6b86',
];
const HUES_DARK = [
  '#e26a50',
  '#4f86d0',
  '#e3ae4e',
  '#4fa892',
  '#9f76c2',
  '#d77199',
  '#86a850',
  '#5bb2d8',
  '#c48a5e',
  '#7d8eab',
];

function kinds(): SceneTheme['kinds'] {
  return byKind((kind) => color(KINDS[kind].shown.color));
}

export const LIGHT: SceneTheme = {
  skyTop: color('#dfe6ee'),
  skyHorizon: color('#f6f6f4'),
  skyBottom: color('#eceae6'),
  ground: color('#f3f1ec'),
  gridFine: color('#8d8a84'),
  gridCoarse: color('#7d7a74'),
  gridStrength: 0.32,
  collider: color('#cfd3d8'),
  key: color('#fff1dd'),
  keyStrength: 2.55,
  fill: color('#cfe0ff'),
  fillStrength: 0.75,
  hemiSky: color('#eef4ff'),
  hemiGround: color('#cbbfae'),
  hemiStrength: 1.5,
  shadowStrength: 0.7,
  bodies: HUES_LIGHT.map(color),
  plain: color('#f4f5f7'),
  backLightness: 0.88,
  accent: color('#2f6fed'),
  wire: color('#1c2430'),
  pin: color('#1f2937'),
  led: color('#8a4fd6'),
  grab: color('#2f6fed'),
  others: color('#d1761f'),
  velocity: color('#2a9d6f'),
  contacts: {touching: color('#0f8a5f'), held: color('#e08a00'), crossed: color('#d6201f')},
  wind: color('#3aa0c9'),
  kinds: kinds(),
  strain: {cold: color('#1c62d1'), calm: color('#9aa3ad'), hot: color('#d62f1f')},
};

export const DARK: SceneTheme = {
  skyTop: color('#0b0e13'),
  skyHorizon: color('#20262f'),
  skyBottom: color('#14181e'),
  ground: color('#4b525c'),
  gridFine: color('#aab6c6'),
  gridCoarse: color('#cfd8e4'),
  gridStrength: 0.12,
  collider: color('#8792a2'),
  key: color('#ffe9d0'),
  keyStrength: 2.5,
  fill: color('#7fa4e8'),
  fillStrength: 0.8,
  hemiSky: color('#9ba6b8'),
  hemiGround: color('#2c2722'),
  hemiStrength: 1.15,
  shadowStrength: 0.64,
  bodies: HUES_DARK.map(color),
  plain: color('#3a4049'),
  backLightness: 0.8,
  accent: color('#6ea0ff'),
  wire: color('#f2f5fa'),
  pin: color('#f5f7fb'),
  led: color('#b98bff'),
  grab: color('#6ea0ff'),
  others: color('#f0a04b'),
  velocity: color('#5fd3a2'),
  contacts: {touching: color('#5fd3a2'), held: color('#ffb84d'), crossed: color('#ff4a3d')},
  wind: color('#6cc7ea'),
  kinds: kinds(),
  strain: {cold: color('#4d8dff'), calm: color('#7a8594'), hot: color('#ff5a45')},
};

type Sky = Pick<SceneTheme, 'skyTop' | 'skyHorizon' | 'skyBottom'>;

function even(hex: string): Sky {
  return {skyTop: color(hex), skyHorizon: color(hex), skyBottom: color(hex)};
}

const SKIES: Readonly<Record<Exclude<Background, 'theme'>, Sky | null>> = {
  white: even('#ffffff'),
  black: even('#000000'),
  sky: {skyTop: color('#5d93cf'), skyHorizon: color('#dfeaf2'), skyBottom: color('#cfd6d6')},
  // As the page has it; only saved pictures are without.
  none: null,
};

const made = new Map<string, SceneTheme>();

// The same object for the same words.
export function themeOf(name: 'light' | 'dark', background: Background = 'theme'): SceneTheme {
  const theme = name === 'dark' ? DARK : LIGHT;
  const sky = background === 'theme' ? null : SKIES[background];
  if (!sky) {
    return theme;
  }
  const key = `${name} ${background}`;
  made.set(key, made.get(key) ?? {...theme, ...sky});
  return made.get(key)!;
}

export function bodyColor(theme: SceneTheme, body: number): Color {
  return theme.bodies[(body - 1) % theme.bodies.length] ?? theme.bodies[0];
}

const hsl = {h: 0, s: 0, l: 0};

// The other side of a cloth: the same hue, paler.
export function backColor(theme: SceneTheme, front: Color): Color {
  const back = front.clone();
  back.getHSL(hsl, SRGBColorSpace);
  return back.setHSL(hsl.h, 0.72 * hsl.s, hsl.l + 0.52 * (theme.backLightness - hsl.l), SRGBColorSpace);
}

// The colour of a body that sleeps. It has the hue of the awake one, is greyer, and is nearly as light as the back.
export function calmColor(theme: SceneTheme, awake: Color): Color {
  const calm = awake.clone();
  calm.getHSL(hsl, SRGBColorSpace);
  return calm.setHSL(hsl.h, 0.45 * hsl.s, hsl.l + 0.2 * (theme.backLightness - hsl.l), SRGBColorSpace);
}

// As the shaders have it, linear.
export function rgb(of: Color): Rgb {
  return [of.r, of.g, of.b];
}
