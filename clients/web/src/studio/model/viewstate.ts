// What the picture shows and how the pointer works on it, as signals that the panels and the scene share. Nothing
// here goes to the server.
import {computed, signal, type ReadonlySignal, type Signal} from '@preact/signals';
import {KINDS} from '../../lib/index.js';
import {byKind, CONSTRAINT_KINDS, type ConstraintKind, type Vec3} from './values.js';

// grab: drag what is under the pointer. click, box, lasso: select. All: orbit from empty space with grab and click.
export type Tool = 'grab' | 'click' | 'box' | 'lasso';
// What the selecting tools take.
export type Target = 'body' | 'particle' | 'constraint';
export type ThemeChoice = 'system' | 'light' | 'dark';
export type HandleMode = 'move' | 'turn' | 'size';
export const HANDLE_MODES: readonly HandleMode[] = ['move', 'turn', 'size'];

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
  // '#rrggbb'
  readonly color?: string;
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
  // How things look on this page alone, by their keys ('body:3'); the others see nothing of it.
  readonly own: Signal<ReadonlyMap<string, OwnLook>> = signal<ReadonlyMap<string, OwnLook>>(new Map());

  // Drawn translucent; null for none.
  readonly preview: Signal<Preview | null> = signal<Preview | null>(null);

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
