// Ways to connect what is selected, and the parameters of constraint.add that each makes. Most ways are a kind of
// constraint; some are an arrangement of one: joins to a surface, two rims that are sewn, welds.
import {KINDS} from '../../../../lib/index.js';
import type {Point} from '../../../model/commands.js';
import {distance} from '../../../model/geometry.js';
import type {JointType} from '../../../model/joints.js';
import {
  CONSTRAINT_KINDS,
  constraintFields,
  rubs,
  type Body,
  type ConstraintKind,
  type Fields,
  type Vec3,
} from '../../../model/values.js';
import {prettyName} from '../../forms/units.js';
import {MOST} from './places.js';
import {mean, nearestOnSurface, nearestWeights, sewn, twoRims} from './sewing.js';

export type Places = (point: Point) => Vec3 | null;
export type Bodies = ReadonlyMap<number, Body>;
export type Arrangement = 'join_point' | 'join_surface' | 'sewing' | 'weld';
export type Way = ConstraintKind | Arrangement;

const NAMES: Partial<Record<Way, string>> = {
  join_point: 'Join a point to an edge or triangle',
  join_surface: 'Join to a surface',
  sewing: 'Sewing of two rims',
  weld: 'Weld to a body',
  slide: 'Slide, rope through a ring',
  slide_rail: 'Slide rail, ring on a rail',
};

export const wayName = (way: Way): string => NAMES[way] ?? prettyName(way);

// The word for one of them in a sentence.
export function wayNoun(way: Way): string {
  if (way === 'join_point' || way === 'join_surface') return 'join';
  return way === 'sewing' ? 'seam' : prettyName(way).toLowerCase();
}

// The constraint that it is made of.
export function kindOf(way: Way): ConstraintKind {
  return way === 'weld' ? 'distance' : way in KINDS ? (way as ConstraintKind) : 'join';
}

// Kinds that connect two particles each time. Rods and fabrics have constraints of their own, which nobody adds.
export function isPair(kind: Way): boolean {
  return kind === 'distance' || kind === 'join';
}

const NEVER: readonly ConstraintKind[] = ['rod_stretch', 'rod_bend', 'orthotropic'];

export function pieceOf(points: readonly Point[], bodies: Bodies): Point | undefined {
  return points.find(({body}) => bodies.get(body)?.kind === 'rigid');
}

// Other bodies than those of the points, on whose surface or particles these can be held.
export function surfacesFor(points: readonly Point[], bodies: Bodies): Body[] {
  const own = new Set(points.map(({body}) => body));
  return [...bodies.values()].filter(({body, topology}) => !own.has(body) && (topology?.triangles.length ?? 0) > 0);
}

// Those that so many points can be connected in.
export function waysFor(points: readonly Point[], bodies: Bodies): Way[] {
  const total = points.length;
  const kinds = CONSTRAINT_KINDS.filter((kind) => {
    if (NEVER.includes(kind)) return false;
    if (kind === 'joint') return pieceOf(points, bodies) !== undefined;
    return isPair(kind) ? total >= 2 : KINDS[kind].particles === total;
  });
  const surface = surfacesFor(points, bodies).length > 0;
  const arrangements: Arrangement[] = [
    ...(total >= 3 && total <= 6 && sidesOf(points) ? (['join_point'] as const) : []),
    ...(surface ? (['join_surface'] as const) : []),
    ...(total >= 4 && total <= MOST && twoRims(points, bodies) ? (['sewing'] as const) : []),
    ...(surface ? (['weld'] as const) : []),
  ];
  return [...kinds, ...arrangements];
}

// The names of the fields that a form of this way has.
export function wayFields(way: Way, joint: JointType = 'ball', motor = 'none'): string[] {
  if (way === 'weld') return ['compliance', 'damping'];
  if (way !== 'joint') return constraintFields(kindOf(way));
  const turns = TURNING.includes(joint);
  const driven = joint === 'hinge' || joint === 'slider';
  return [
    'compliance',
    'damping',
    ...(turns ? ['turn_compliance'] : []),
    ...(driven ? ['motor'] : []),
    ...(driven && motor !== 'none' ? ['motor_target', 'motor_most'] : []),
    ...(driven && motor === 'target' ? ['motor_compliance'] : []),
    'force_limit',
  ];
}

// The sides of a join: the particles of two bodies, or one and the others of one body. null: they make no two sides.
export function sidesOf(points: readonly Point[], point = ''): readonly [readonly Point[], readonly Point[]] | null {
  const bodies = [...new Set(points.map(({body}) => body))];
  const chosen = points.find((one) => keyOf(one) === point) ?? points[0];
  const [a, b] =
    bodies.length === 2
      ? [points.filter(({body}) => body === bodies[0]), points.filter(({body}) => body === bodies[1])]
      : [points.filter((one) => one === chosen), points.filter((one) => one !== chosen)];
  const fit = (side: readonly Point[]) => side.length >= 1 && side.length <= 3;
  return bodies.length <= 2 && fit(a) && fit(b) ? [a, b] : null;
}

export const keyOf = ({body, particle}: Point): string => `${body}:${particle}`;

function known(points: readonly Point[], places: Places): Vec3[] {
  return points.map(places).filter((place) => place !== null);
}

// Weights of both sides: where a point is nearest to an edge or a triangle; else equal ones.
export function weightsOf([a, b]: readonly [readonly Point[], readonly Point[]], places: Places): number[] {
  const equal = (side: readonly Point[]) => side.map(() => 1 / side.length);
  const near = (single: readonly Point[], side: readonly Point[]) => {
    const at = places(single[0] as Point);
    const corners = known(side, places);
    return at && corners.length === side.length ? nearestWeights(at, corners) : equal(side);
  };
  return [...(a.length > 1 && b.length === 1 ? near(b, a) : equal(a)), ...(b.length > 1 && a.length === 1 ? near(a, b) : equal(b))];
}

// Parameters of constraint.add without values.
export interface Made {
  readonly type: ConstraintKind;
  readonly points: readonly Point[];
  readonly extra: Fields;
}

// Each point joined to the nearest triangle of a body.
export function onSurface(points: readonly Point[], body: Body, positions: ArrayLike<number>, places: Places): Made {
  const triangles = body.topology?.triangles ?? new Uint32Array();
  const all: Point[] = [];
  const weights: number[] = [];
  for (const point of points) {
    const at = places(point);
    const found = at && nearestOnSurface(at, triangles, positions);
    if (!found) continue;
    all.push(point, ...found.corners.map((particle) => ({body: body.body, particle})));
    weights.push(1, ...found.weights);
  }
  return {type: 'join', points: all, extra: {sides: Uint32Array.of(1, 3), weights: Float64Array.from(weights)}};
}

// Struts from each point to the three nearest particles of a body that are not in a line (docs/concepts/join.md).
export function welded(points: readonly Point[], body: Body, positions: ArrayLike<number>, places: Places): Made {
  const all: Point[] = [];
  const at = (i: number): Vec3 => [positions[3 * i] ?? 0, positions[3 * i + 1] ?? 0, positions[3 * i + 2] ?? 0];
  const count = Math.floor(positions.length / 3);
  for (const point of points) {
    const place = places(point);
    if (!place) continue;
    const order = Array.from({length: count}, (_, i) => i).sort((a, b) => distance(place, at(a)) - distance(place, at(b)));
    const [a = 0, b = 0] = order;
    const third = order.find((i, rank) => rank > 1 && !inLine(at(a), at(b), at(i)));
    for (const particle of third === undefined ? [a, b] : [a, b, third]) {
      all.push(point, {body: body.body, particle});
    }
  }
  return {type: 'distance', points: all, extra: {}};
}

function inLine(a: Vec3, b: Vec3, c: Vec3): boolean {
  const [ab, ac] = [distance(a, b), distance(a, c)];
  const [weight] = nearestWeights(c, [a, b]);
  return distance(c, mean([a, b], [weight ?? 0, 1 - (weight ?? 0)])) < 0.05 * Math.max(ab, ac) || ab === 0;
}

export function sewing(points: readonly Point[], bodies: Bodies, places: Places): Made {
  const rims = twoRims(points, bodies);
  return {type: 'join', points: rims ? sewn(rims, places) : [], extra: {}};
}

export interface JointMade {
  readonly type: JointType;
  readonly anchor: Vec3;
  readonly axis: Vec3;
  readonly limits: readonly [number, number] | null;
  // To which the piece is joined: the world, or what else is selected.
  readonly world: boolean;
}

// Joints that need an orientation on both sides.
const TURNING: readonly JointType[] = ['fixed', 'hinge', 'slider'];

// The segment of a rod that two particles are the ends of, or that begins or else ends at one; the particle at which it
// begins is the first. null: there is none.
function segmentOf(points: readonly Point[], bodies: Bodies): Point[] | null {
  const [first, second] = points;
  const body = first && bodies.get(first.body);
  if (!body?.rod || points.length > 2 || (second && second.body !== first.body)) return null;
  const edges = body.topology?.edges ?? [];
  let found = -1;
  for (let e = 0; e + 1 < edges.length; e += 2) {
    const [begins, ends] = [edges[e], edges[e + 1]];
    const both = (a: number, b: number) => a === begins && b === ends;
    if (second && (both(first.particle, second.particle) || both(second.particle, first.particle))) found = e;
    if (!second && (begins === first.particle || (ends === first.particle && found < 0))) found = e;
  }
  return found < 0 ? null : [edges[found]!, edges[found + 1]!].map((particle) => ({body: first.body, particle}));
}

// The second side of a joint: nothing, one particle or piece, a segment of a rod, or three corners. null: it is none.
export function secondSide(others: readonly Point[], bodies: Bodies, type: JointType): readonly Point[] | null {
  const turns = TURNING.includes(type);
  const piece = others.length === 1 && bodies.get(others[0]!.body)?.kind === 'rigid';
  if (others.length === 2 || (turns && others.length === 1 && !piece)) return segmentOf(others, bodies);
  return others.length === 0 || piece || (!turns && (others.length === 1 || others.length === 3)) ? others : null;
}

// The piece first, then the second side.
export function jointed(points: readonly Point[], bodies: Bodies, places: Places, joint: JointMade): Made | null {
  const piece = pieceOf(points, bodies);
  const others = secondSide(joint.world ? [] : points.filter((point) => point !== piece), bodies, joint.type);
  if (!piece || !others) return null;
  const corners = known(others, places);
  const weights = others.length === 3 ? nearestWeights(joint.anchor, corners) : [];
  const centre = places(piece) ?? joint.anchor;
  const far = joint.type === 'distance' ? [...centre, ...joint.anchor] : joint.anchor;
  return {
    type: 'joint',
    points: [piece, ...others],
    extra: {
      joint: joint.type,
      sides: Uint32Array.of(1, others.length),
      anchors: Float64Array.from(far),
      axes: Float64Array.from(joint.axis),
      ...(weights.length > 0 ? {weights: Float64Array.from([1, ...weights])} : {}),
      ...(joint.limits ? {limits: Float64Array.from(joint.limits)} : {}),
    },
  };
}

// Whether the two of a limit are angles; null: such a joint has no limits.
export function limitUnit(type: JointType): 'rad' | 'm' | null {
  return type === 'fixed' ? null : type === 'hinge' || type === 'ball' ? 'rad' : 'm';
}

export const isRing = (way: Way): boolean => way in KINDS && rubs(way as ConstraintKind);
