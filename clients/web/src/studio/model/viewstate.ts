// What the picture shows and how the pointer works on it, as signals that the panels and the scene share. Nothing
// here goes to the server.
import {computed, signal, type ReadonlySignal, type Signal} from '@preact/signals';
import {KINDS} from '../../lib/index.js';
import type {ForceField} from './forcefields.js';
import type {JointType} from './joints.js';
import type {Anchor, Measure} from './measures.js';
import {byKind, CONSTRAINT_KINDS, type ConstraintKind, type Vec3} from './values.js';

// grab: drag what is under the pointer. click, box, lasso: select. measure: pick points. All: orbit from empty space with grab,
// click and measure.
export type Tool = 'grab' | 'click' | 'box' | 'lasso' | 'measure';
// What the selecting tools take.
export type Target = 'body' | 'particle' | 'constraint';
export type ThemeChoice = 'system' | 'light' | 'dark';
export type HandleMode = 'move' | 'turn' | 'size';
export const HANDLE_MODES: readonly HandleMode[] = ['move', 'turn', 'size'];

// How the picture is drawn: as well as the machine can fluently, always at its best, or plainly.
export type Light = 'auto' | 'best' | 'plain';
export const LIGHTS: readonly Light[] = ['auto', 'best', 'plain'];
// The background. 'theme': a soft sky in the colours of the page. 'none': saved pictures are transparent there.
export type Background = 'theme' | 'white' | 'black' | 'sky' | 'none';
export const BACKGROUNDS: readonly Background[] = ['theme', 'white', 'black', 'sky', 'none'];
// How the threads of a fabric run, as it is drawn.
export type Weave = 'plain' | 'twill' | 'knit' | 'smooth';
export const WEAVES: readonly Weave[] = ['plain', 'twill', 'knit', 'smooth'];
// How far a handle has moved, turned or sized what is selected, while it is in hand and until it is another.
export interface HandleNumber {
  readonly mode: HandleMode;
  // X, Y or Z; empty if it goes along several.
  readonly axis: string;
  // m, rad, or a factor.
  readonly value: number;
  // The thing that it snapped to, as a word; empty for steps and for nothing.
  readonly caught: string;
  // Whether the pointer has it.
  readonly holding: boolean;
  // Makes it exactly so much, counted from the press.
  set(value: number): void;
  // Lets go of it, as if the pointer was lifted.
  release(): void;
  // Forgets it.
  leave(): void;
}

export interface CameraPose {
  readonly position: Vec3;
  readonly target: Vec3;
}

export interface SavedView {
  readonly name: string;
  readonly pose: CameraPose;
}

// A shape that is shown and is not in the world: a mesh before it is added.
export interface Preview {
  // x, y, z of each point, in metres.
  readonly positions: Float64Array;
  readonly triangles: Uint32Array;
  readonly lines: Uint32Array;
}

// How constraints are drawn. 'bend' draws none of them, but colours each body by its share of bending that is not resolved.
export type ConstraintLook = 'off' | 'kind' | 'strain' | 'excess' | 'bend';

// Bodies are grey under these, so that the colours are seen.
export const isColoured = (look: ConstraintLook): boolean => look !== 'off' && look !== 'kind';

// Physical fields that colour bodies.
export const FIELD_LOOKS = ['off', 'strain', 'stress', 'speed', 'contact', 'asleep'] as const;
export type FieldLook = (typeof FIELD_LOOKS)[number];

// The field that colours bodies, as it is drawn now: a scale from `low` to `high`, or colours by name where both are 0.
export interface ShownField {
  readonly look: FieldLook;
  readonly unit: string;
  readonly low: number;
  readonly high: number;
  // Evenly, '#rrggbb'.
  readonly colors: readonly string[];
}

// A joint before it is added, where its form has it. give() changes the form.
export interface DraftJoint {
  readonly type: JointType;
  readonly anchor: Vec3;
  readonly axis: Vec3;
  readonly limits: readonly [number, number] | null;
  readonly give: (part: {readonly anchor?: Vec3; readonly axis?: Vec3}) => void;
}

// Strain that has the full colour.
export const FULL_STRAIN: Readonly<Record<ConstraintKind, number>> = byKind((kind) => KINDS[kind].shown.full);

// As the picture has them, '#rrggbb'.
export interface ConstraintColors {
  readonly kinds: Readonly<Record<ConstraintKind, string>>;
  // From −1 to 1 of the full strain, evenly.
  readonly strain: readonly string[];
  readonly contacts: {readonly touching: string; readonly held: string; readonly crossed: string};
}

// Of the frame that is drawn.
export interface ShownContacts {
  // Whether the server has looked: it does from the next tick on.
  readonly known: boolean;
  readonly touching: number;
  readonly held: number;
  readonly crossed: number;
  // What there was no room for in the frame.
  readonly more: number;
}

export interface OwnLook {
  readonly hidden?: boolean;
  // The pointer goes through it, and nothing on this page pulls, moves or removes it.
  readonly locked?: boolean;
  // '#rrggbb'
  readonly color?: string;
  // Replaces the weave of a cloth's material.
  readonly weave?: Weave;
}

// Of the last half second.
export interface ViewStats {
  readonly framesPerSecond: number;
  // Of the main thread, for one frame: drawing, interpolation, messages.
  readonly mainMs: number;
  // How far behind the newest state the picture is, in ms; it adapts to how unevenly frames come.
  readonly delayMs: number;
  readonly triangles: number;
  readonly particles: number;
  // Of the picture's resolution, 1 or less where the machine is slow.
  readonly resolution: number;
}

export class ViewState {
  readonly tool: Signal<Tool> = signal<Tool>('grab');
  readonly target: Signal<Target> = signal<Target>('body');
  // m/N of a drag's pull.
  readonly grabCompliance: Signal<number> = signal(0.001);
  readonly handle: Signal<HandleMode> = signal<HandleMode>('move');

  // The measures, and the points that were picked so far for the next one.
  readonly measures: Signal<readonly Measure[]> = signal<readonly Measure[]>([]);
  readonly picked: Signal<readonly Anchor[]> = signal<readonly Anchor[]>([]);

  // Whether handles snap; Ctrl turns it round while it is down.
  readonly snapping: Signal<boolean> = signal(false);
  // Written by the view; null: no handle was taken.
  readonly handleNumber: Signal<HandleNumber | null> = signal<HandleNumber | null>(null);

  readonly themeChoice: Signal<ThemeChoice> = signal<ThemeChoice>('system');
  // Set by whoever watches prefers-color-scheme.
  readonly systemDark: Signal<boolean> = signal(false);
  readonly theme: ReadonlySignal<'light' | 'dark'> = computed(() =>
    this.themeChoice.value === 'system' ? (this.systemDark.value ? 'dark' : 'light') : this.themeChoice.value,
  );

  readonly overlays = {
    wireframe: signal(false),
    // The tetrahedra under a skin.
    lattice: signal(false),
    // By strain, by what of it is beyond the limit of an edge, or by bending that is not resolved.
    constraints: signal<ConstraintLook>('off'),
    // Kinds that the overlay draws.
    kinds: signal<ReadonlySet<ConstraintKind>>(new Set(CONSTRAINT_KINDS)),
    pins: signal(true),
    velocities: signal(false),
    grabs: signal(true),
    wind: signal(false),
    // Connections of bodies that were added by hand.
    links: signal(true),
    // Fields of force.
    forces: signal(true),
    // The field by which surfaces and ropes are coloured.
    field: signal<FieldLook>('off'),
    // Forces as arrows.
    arrows: signal(false),
    // The air as streaks.
    streaks: signal(false),
    // Where bodies touch, are held back and cross.
    contacts: signal(false),
    shadows: signal(true),
    // Surfaces; without them only what else is drawn of a body is seen.
    filled: signal(true),
    // Strain on the surfaces themselves, rather than on the lines of the constraints.
    strained: signal(false),
    // Where there is no ground.
    grid: signal(true),
    axes: signal(false),
  } as const;

  // Written by the view; null where there is none.
  readonly colors: Signal<ConstraintColors | null> = signal<ConstraintColors | null>(null);
  readonly orthographic: Signal<boolean> = signal(false);
  readonly light: Signal<Light> = signal<Light>('auto');
  readonly background: Signal<Background> = signal<Background>('theme');
  // Whether the camera goes round what it looks at, until it is touched.
  readonly turntable: Signal<boolean> = signal(false);
  // How things look on this page alone, by their keys ('body:3'); the others see nothing of it.
  readonly own: Signal<ReadonlyMap<string, OwnLook>> = signal<ReadonlyMap<string, OwnLook>>(new Map());
  // Keys of what is put out of sight while something else is isolated; null: nothing is.
  readonly apart: Signal<ReadonlySet<string> | null> = signal<ReadonlySet<string> | null>(null);
  // How things are drawn: their own looks, without what is put out of sight.
  readonly looks: ReadonlySignal<ReadonlyMap<string, OwnLook>> = computed(() => {
    const apart = this.apart.value;
    const own = this.own.value;
    return apart ? new Map([...own, ...[...apart].map((key) => [key, {...own.get(key), hidden: true}] as const)]) : own;
  });

  // Drawn translucent; null for none.
  readonly preview: Signal<Preview | null> = signal<Preview | null>(null);

  // Written by the view; null while no field is drawn.
  readonly shownField: Signal<ShownField | null> = signal<ShownField | null>(null);
  // The greatest value of a field's colours; null or absent: it goes by what there is.
  readonly fieldRange: Signal<Readonly<Partial<Record<FieldLook, number | null>>>> = signal<
    Readonly<Partial<Record<FieldLook, number | null>>>
  >({});
  // How many arrows are drawn, and the force in N of one of full length; null while none are.
  readonly shownArrows: Signal<{readonly count: number; readonly full: number} | null> = signal<{
    readonly count: number;
    readonly full: number;
  } | null>(null);
  // N of an arrow of full length; null: that of the greatest force.
  readonly arrowRange: Signal<number | null> = signal<number | null>(null);
  // A joint that is being made; null: none is.
  readonly draftJoint: Signal<DraftJoint | null> = signal<DraftJoint | null>(null);
  // A field of force as the hand has it, ahead of the server; null: none is held.
  readonly heldForce: Signal<ForceField | null> = signal<ForceField | null>(null);

  // Where the camera is; written by the view.
  readonly camera: Signal<CameraPose> = signal<CameraPose>({position: [3, 2.2, 5], target: [0, 0.8, 0]});
  readonly savedViews: Signal<readonly SavedView[]> = signal<readonly SavedView[]>([]);
  readonly stats: Signal<ViewStats> = signal<ViewStats>({
    framesPerSecond: 0,
    mainMs: 0,
    delayMs: 0,
    triangles: 0,
    particles: 0,
    resolution: 1,
  });
  // Whether a drag was ever made on this page: the first visit's hint goes by it.
  readonly dragged: Signal<boolean> = signal(false);
  // Whether something is being dragged now.
  readonly dragging: Signal<boolean> = signal(false);
  // Why there is no picture; empty where there is one.
  readonly failure: Signal<string> = signal('');
  // What the picture shows of contact; null where it shows none. Written by the view.
  readonly contacts: Signal<ShownContacts | null> = signal<ShownContacts | null>(null);
}

// -- links: #world=NAME&tick=T&view=px,py,pz,tx,ty,tz

export interface Link {
  readonly world: string | null;
  readonly pose: CameraPose | null;
  // A moment of the past; null: the present.
  readonly tick: number | null;
}

export function parseLink(hash: string): Link {
  const params = new URLSearchParams(hash.replace(/^#/, ''));
  const numbers = (params.get('view') ?? '').split(',').map(Number);
  const valid = numbers.length === 6 && numbers.every((x) => Number.isFinite(x) && Math.abs(x) < 1e9);
  const [px, py, pz, tx, ty, tz] = numbers;
  const apart = valid && Math.hypot(px - tx, py - ty, pz - tz) > 1e-6;
  const tick = params.get('tick') ?? '';
  return {
    world: params.get('world'),
    tick: /^\d{1,15}$/.test(tick) ? Number(tick) : null,
    pose: apart ? {position: [px, py, pz], target: [tx, ty, tz]} : null,
  };
}

export function formatLink(world: string, pose: CameraPose | null, tick: number | null = null): string {
  const params = new URLSearchParams(tick === null ? {world} : {world, tick: String(tick)});
  // Commas stay readable.
  const view = pose
    ? `&view=${[...pose.position, ...pose.target].map((x) => Number(x.toFixed(3))).join(',')}`
    : '';
  return `#${params.toString()}${view}`;
}
