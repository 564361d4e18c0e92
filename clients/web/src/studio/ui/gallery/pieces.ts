// What the gallery offers: bodies made from a few numbers, and the things that belong to them (a table below a
// tablecloth). Each has fields of its own, in the shape of api.json's, and takes the materials of body.add.
import type {Field} from '../../../lib/index.js';
import type {IconName} from '../controls/icons.js';
import type {Values} from '../forms/binding.js';
import {ballOfTets, boxOfTets, chain, sheet, type Mesh} from './mesh.js';
import {RIGID_FIELDS, shapeFor, stacked, type RigidForm} from './rigids.js';

type Vec3 = readonly [number, number, number];

export interface Made {
  readonly mesh: Mesh;
  readonly pins?: Uint32Array;
  // Pins of a rod that hold its direction as well.
  readonly clamps?: Uint32Array;
  // Parameters of collider.add.
  readonly colliders?: readonly Values[];
  readonly wind?: Values;
  // The shape of pieces of a rigid body, and what they look like; the mesh has their middles.
  readonly rigid?: Values;
  readonly look?: Mesh;
}

export interface Piece {
  readonly id: string;
  readonly name: string;
  readonly doc: string;
  readonly kind: 'cloth' | 'rope' | 'soft' | 'points' | 'rigid';
  readonly fields: readonly Field[];
  // What it gives body.add beside the mesh, as a start for the form.
  readonly material: Values;
  // Height of its lowest point above the ground, for placing it.
  readonly make: (values: Values) => Made;
  // How it looks in the gallery: moves a point as the world would.
  readonly pose?: (p: Vec3) => Vec3;
}

const length = (name: string, value: number, min: number, max: number, doc: string): Field => ({
  name,
  type: 'float',
  default: value,
  min,
  exclusiveMin: true,
  max,
  unit: 'm',
  doc,
});

const count = (name: string, value: number, min: number, max: number, doc: string): Field => ({
  name,
  type: 'u32',
  default: value,
  min,
  max,
  doc,
});

const choice = (name: string, value: string, values: readonly string[], doc: string): Field => ({
  name,
  type: 'enum',
  values,
  default: value,
  doc,
});

const position = (value: Vec3): Field => ({
  name: 'position',
  type: 'vec3',
  default: value,
  unit: 'm',
  doc: 'Position of its middle.',
});

// It meets itself and all others.
const CONTACT: Values = {self_contact: true, contact_group: 1, contact_mask: 1};

const CELLS = 'Number of cells; more look finer and cost more time.';

export function read(piece: Piece, values: Values) {
  const fieldOf = (name: string) => piece.fields.find((field) => field.name === name);
  const given = (name: string) => values[name] ?? fieldOf(name)?.default;
  return {
    // Within its limits, whoever asks: a mesh of thousands of cells a side would hold the page up for good.
    number: (name: string) => {
      const {min = -Infinity, max = Infinity, type} = fieldOf(name) ?? {};
      const value = Math.min(max, Math.max(min, Number(given(name))));
      return type === 'u32' ? Math.round(value) : value;
    },
    text: (name: string) => String(given(name)),
    vec3: (name: string) => given(name) as Vec3,
  };
}

function gridPins(columns: number, rows: number, which: string): Uint32Array {
  const at = (column: number, row: number) => row * (columns + 1) + column;
  const top = Array.from({length: columns + 1}, (_, i) => at(i, 0));
  const side = Array.from({length: rows + 1}, (_, i) => at(0, i));
  const pins: Record<string, number[]> = {
    corners: [at(0, 0), at(columns, 0), at(0, rows), at(columns, rows)],
    two_corners: [at(0, 0), at(columns, 0)],
    edge: top,
    side,
    hooks: top.filter((_, i) => i % Math.max(1, Math.round(columns / 8)) === 0 || i === columns),
  };
  return Uint32Array.from(pins[which] ?? []);
}

const cloth: Piece = {
  id: 'cloth',
  name: 'Cloth',
  doc: 'A level sheet in the air, which falls or hangs by its pins.',
  kind: 'cloth',
  fields: [
    length('width', 1.6, 0.01, 8, 'Size along x.'),
    length('depth', 1.6, 0.01, 8, 'Size along z.'),
    count('cells', 32, 1, 200, `Along its longer side. ${CELLS}`),
    choice('pins', 'none', ['none', 'two_corners', 'corners', 'edge'], 'The place where it is held.'),
    position([0, 1.6, 0]),
  ],
  material: {
    ...CONTACT,
    density: 0.2,
    thickness: 0.01,
    stretch: {compliance: 0},
    bend: {model: 'quadratic', compliance: 3e3},
  },
  make(values) {
    const {number, text, vec3} = read(cloth, values);
    const [w, d] = [number('width'), number('depth')];
    const [columns, rows] = cellsOf(number('cells'), w, d);
    const [x, y, z] = vec3('position');
    return {
      mesh: sheet(columns, rows, (u, v) => [x + w * (u - 0.5), y, z + d * (v - 0.5)]),
      pins: gridPins(columns, rows, text('pins')),
    };
  },
  pose: ([x, y, z]) => [x * (1 - 0.06 * y), y + 0.09 * Math.sin(3.1 * x + 0.8) + 0.07 * Math.cos(3.6 * z), z],
};

function cellsOf(longer: number, a: number, b: number): [number, number] {
  const per = longer / Math.max(a, b);
  return [Math.max(1, Math.round(per * a)), Math.max(1, Math.round(per * b))];
}

const flag: Piece = {
  id: 'flag',
  name: 'Flag',
  doc: 'A sheet that flies from a pole, in the wind.',
  kind: 'cloth',
  fields: [
    length('width', 1.5, 0.01, 8, 'Size along the wind.'),
    length('height', 1, 0.01, 8, 'Size along the pole.'),
    count('cells', 36, 1, 200, `Along its longer side. ${CELLS}`),
    {
      name: 'wind',
      type: 'float',
      default: 7,
      min: 0,
      max: 40,
      unit: 'm/s',
      doc: 'Wind along x for the whole world, if it has none yet.',
    },
    position([0, 1.8, 0]),
  ],
  material: {
    ...CONTACT,
    density: 0.12,
    thickness: 0.01,
    stretch: {compliance: 0},
    bend: {model: 'quadratic', compliance: 1e4},
  },
  make(values) {
    const {number, vec3} = read(flag, values);
    const [w, h] = [number('width'), number('height')];
    const [columns, rows] = cellsOf(number('cells'), w, h);
    const [x, y, z] = vec3('position');
    const speed = number('wind');
    return {
      mesh: sheet(columns, rows, (u, v) => [x + w * (u - 0.5), y + h * (0.5 - v), z]),
      pins: gridPins(columns, rows, 'side'),
      ...(speed > 0 ? {wind: {velocity: [speed, 0, 0.15 * speed], drag: 1, lift: 0.6}} : {}),
    };
  },
  pose: ([x, y, z]) => [x, y - 0.05 * (x + 0.75), z + 0.16 * (x + 0.75) * Math.sin(4.6 * x - 1.2 * y)],
};

const curtain: Piece = {
  id: 'curtain',
  name: 'Curtain',
  doc: 'A sheet that hangs in folds from hooks.',
  kind: 'cloth',
  fields: [
    length('width', 1.8, 0.01, 8, 'Distance between the outer hooks.'),
    length('height', 1.6, 0.01, 8, 'Height from the hooks down.'),
    {
      name: 'folds',
      type: 'float',
      default: 0.5,
      min: 0,
      max: 2,
      doc: 'Additional cloth, as a share of the width.',
    },
    count('cells', 44, 1, 200, `Along its longer side. ${CELLS}`),
    position([0, 1.2, 0]),
  ],
  material: {
    ...CONTACT,
    density: 0.25,
    thickness: 0.01,
    stretch: {compliance: 0},
    bend: {model: 'quadratic', compliance: 3e3},
  },
  make(values) {
    const {number, vec3} = read(curtain, values);
    const [w, h] = [number('width'), number('height')];
    const length = w * (1 + number('folds'));
    const [columns, rows] = cellsOf(number('cells'), length, h);
    const [x, y, z] = vec3('position');
    // A zigzag of 8 folds whose way is `length` where its width is w.
    const deep = Math.sqrt(Math.max(0, length * length - w * w)) / 16;
    const wave = (u: number) => Math.abs(((16 * u + 1) % 4) - 2) - 1;
    return {
      mesh: sheet(columns, rows, (u, v) => [x + w * (u - 0.5), y + h * (0.5 - v), z + deep * wave(u)]),
      pins: gridPins(columns, rows, 'hooks'),
    };
  },
};

const tablecloth: Piece = {
  id: 'tablecloth',
  name: 'Tablecloth',
  doc: 'A sheet above a table, about to fall on it.',
  kind: 'cloth',
  fields: [
    length('width', 1.8, 0.01, 8, 'Size of the cloth; the table is three fifths of it.'),
    count('cells', 44, 1, 200, `Along each side. ${CELLS}`),
    {
      name: 'friction',
      type: 'float',
      default: 0.4,
      min: 0,
      max: 1000,
      doc: 'Friction of the table, Coulomb coefficient mu.',
    },
    position([0, 1.1, 0]),
  ],
  material: {
    ...CONTACT,
    density: 0.2,
    thickness: 0.012,
    stretch: {compliance: 0},
    bend: {model: 'quadratic', compliance: 5e3},
  },
  make(values) {
    const {number, vec3} = read(tablecloth, values);
    const w = number('width');
    const cells = number('cells');
    const [x, y, z] = vec3('position');
    const friction = number('friction');
    const top = y - 0.25;
    return {
      mesh: sheet(cells, cells, (u, v) => [x + w * (u - 0.5), y, z + w * (v - 0.5)]),
      colliders: [
        {kind: 'box', position: [x, top - 0.03, z], half_extents: [0.3 * w, 0.03, 0.3 * w], friction},
        {
          kind: 'capsule',
          position: [x, top / 2 - 0.03, z],
          radius: 0.05,
          length: Math.max(0.1, top - 0.16),
          friction,
        },
      ],
    };
  },
  pose: ([x, y, z]) => {
    const out = Math.max(Math.abs(x), Math.abs(z), 0.45);
    const corner = Math.min(1, Math.max(0, Math.abs(x) - 0.45) * Math.max(0, Math.abs(z) - 0.45) * 6);
    const drop = out - 0.45;
    const shrink = 0.45 + 0.25 * drop + 0.1 * corner;
    const scale = out > 0.45 ? shrink / out : 1;
    return [x * scale, y - 0.95 * drop, z * scale];
  },
};

const hammock: Piece = {
  id: 'hammock',
  name: 'Hammock',
  doc: 'A sheet held by its four corners, into which things can be dropped.',
  kind: 'cloth',
  fields: [
    length('width', 1.6, 0.01, 8, 'Size along x.'),
    length('depth', 1.6, 0.01, 8, 'Size along z.'),
    count('cells', 32, 1, 200, `Along its longer side. ${CELLS}`),
    position([0, 1, 0]),
  ],
  material: {
    ...CONTACT,
    density: 0.3,
    thickness: 0.01,
    stretch: {compliance: 0},
    bend: {model: 'quadratic', compliance: 3e3},
  },
  make(values) {
    const {number, vec3} = read(hammock, values);
    const [w, d] = [number('width'), number('depth')];
    const [columns, rows] = cellsOf(number('cells'), w, d);
    const [x, y, z] = vec3('position');
    return {
      mesh: sheet(columns, rows, (u, v) => [x + w * (u - 0.5), y, z + d * (v - 0.5)]),
      pins: gridPins(columns, rows, 'corners'),
    };
  },
  pose: ([x, y, z]) => [x, y - 0.45 * (1 - (x * x + z * z) / 1.28), z],
};

const rope: Piece = {
  id: 'rope',
  name: 'Rope',
  doc: 'A line of particles, held at one end, at both, or free.',
  kind: 'rope',
  fields: [
    length('length', 2, 0.01, 16, 'Length from end to end.'),
    count('cells', 40, 1, 2000, CELLS),
    choice('pins', 'one_end', ['none', 'one_end', 'both_ends'], 'The place where it is held.'),
    position([0, 1.8, 0]),
  ],
  material: {...CONTACT, density: 0.1, thickness: 0.012, stretch: {compliance: 0}},
  make(values) {
    const {number, text, vec3} = read(rope, values);
    const [l, cells] = [number('length'), number('cells')];
    const [x, y, z] = vec3('position');
    const pins: Record<string, number[]> = {one_end: [0], both_ends: [0, cells]};
    // Held at both ends it sags; straight it would be a bar.
    const sag = text('pins') === 'both_ends' ? 0.8 : 1;
    const rise = Math.sqrt(1 - sag * sag);
    return {
      mesh: chain(cells, (t) => [x + l * sag * (t - 0.5), y - l * rise * (0.5 - Math.abs(t - 0.5)), z]),
      pins: Uint32Array.from(pins[text('pins')] ?? []),
    };
  },
  pose: ([x, y, z]) => [0.75 * x, y - 0.45 * (1 - x * x), z + 0.2 * Math.sin(3 * x)],
};

const softCube: Piece = {
  id: 'soft-cube',
  name: 'Soft cube',
  doc: 'A block of jelly.',
  kind: 'soft',
  fields: [
    {
      name: 'size',
      type: 'vec3',
      default: [0.6, 0.6, 0.6],
      min: 0,
      exclusiveMin: true,
      max: 8,
      unit: 'm',
      doc: 'Length of its edges.',
    },
    count('cells', 6, 1, 30, `Along its longest edge. ${CELLS}`),
    position([0, 1.2, 0]),
  ],
  material: {...CONTACT, density: 300, thickness: 0.01, stretch: {compliance: 3e-5}, volume: {compliance: 1e-9}},
  make(values) {
    const {number, vec3} = read(softCube, values);
    const size = vec3('size');
    const per = number('cells') / Math.max(...size);
    const cells = size.map((side) => Math.max(1, Math.round(per * side))) as unknown as Vec3;
    return {mesh: boxOfTets(cells, size, vec3('position'))};
  },
  pose: ([x, y, z]) => [x * (1.06 - 0.12 * y), y, z * (1.06 - 0.12 * y)],
};

const softBall: Piece = {
  id: 'soft-ball',
  name: 'Soft ball',
  doc: 'A ball of jelly.',
  kind: 'soft',
  fields: [
    length('radius', 0.35, 0.01, 4, 'Radius.'),
    count('detail', 2, 1, 4, 'Number of times that each tetrahedron is divided into eight.'),
    position([0, 1.3, 0]),
  ],
  material: {...CONTACT, density: 300, thickness: 0.01, stretch: {compliance: 3e-5}, volume: {compliance: 1e-9}},
  make(values) {
    const {number, vec3} = read(softBall, values);
    return {mesh: ballOfTets(number('detail'), number('radius'), vec3('position'))};
  },
};

const points: Piece = {
  id: 'points',
  name: 'Points',
  doc: 'Independent particles, until constraints are added.',
  kind: 'points',
  fields: [
    count('count', 64, 1, 10000, 'Number of particles.'),
    length('spacing', 0.12, 0.001, 2, 'Distance between neighbours.'),
    position([0, 1.5, 0]),
  ],
  material: {...CONTACT, density: 0.01, thickness: 0.03},
  make(values) {
    const {number, vec3} = read(points, values);
    const total = number('count');
    const side = Math.ceil(Math.cbrt(total));
    const spacing = number('spacing');
    const [x, y, z] = vec3('position');
    const positions = new Float64Array(3 * total);
    for (let i = 0; i < total; ++i) {
      const cell = [i % side, Math.floor(i / (side * side)), Math.floor(i / side) % side];
      const [a, b, c] = cell.map((at) => (at - (side - 1) / 2) * spacing) as [number, number, number];
      positions.set([x + a, y + b, z + c], 3 * i);
    }
    return {mesh: {positions}};
  },
};

const SIZES = RIGID_FIELDS(length);

function rigidPiece(form: RigidForm, name: string, doc: string, fields: readonly Field[], height: number): Piece {
  const one: Piece = {
    id: `rigid-${form}`,
    name,
    doc,
    kind: 'rigid',
    fields: [...fields, count('count', 1, 1, 50, 'Number of pieces, one above the other.'), position([0, height, 0])],
    material: {...CONTACT, self_contact: true, density: 500, friction: 0.5},
    make(values) {
      const {number, text, vec3} = read(one, values);
      const shape = shapeFor(form, number, form === 'hull' ? text('solid') : undefined);
      return stacked(shape, number('count'), vec3('position'));
    },
  };
  return one;
}

const rigids = [
  rigidPiece('sphere', 'Rigid ball', 'A ball that moves and keeps its shape.', [SIZES.radius], 0.5),
  rigidPiece('capsule', 'Rigid capsule', 'A bar with round ends that moves and keeps its shape.', [SIZES.radius, SIZES.length], 0.6),
  rigidPiece('box', 'Rigid box', 'A box that moves and keeps its shape.', SIZES.sides, 0.4),
  rigidPiece(
    'hull',
    'Rigid solid',
    'A solid with straight sides that moves and keeps its shape.',
    [choice('solid', 'icosahedron', ['tetrahedron', 'octahedron', 'icosahedron'], 'Its shape.'), SIZES.radius],
    0.5,
  ),
  rigidPiece('compound', 'Rigid jack', 'Three crossed bars that move as one and keep their shape.', SIZES.bars, 0.5),
];

const cable: Piece = {
  id: 'cable',
  name: 'Cable',
  doc: 'A rod that resists bending and twist, clamped at one end.',
  kind: 'rope',
  fields: [
    length('length', 1, 0.02, 8, 'Length along x.'),
    count('segments', 24, 2, 500, 'Number of segments.'),
    choice('clamped', 'left', ['none', 'left', 'both'], 'The ends that are held, with their direction.'),
    position([0, 1.4, 0]),
  ],
  material: {
    ...CONTACT,
    density: 0.05,
    thickness: 0.006,
    rod: {radius: 0.004, young: 5e8, solve: 'direct'},
  },
  make(values) {
    const {number, text, vec3} = read(cable, values);
    const [segments, long] = [number('segments'), number('length')];
    const [x, y, z] = vec3('position');
    const mesh = chain(segments, (u) => [x + long * (u - 0.5), y, z]);
    const which = text('clamped');
    const pins = Uint32Array.from([...(which === 'none' ? [] : [0]), ...(which === 'both' ? [segments] : [])]);
    return {mesh, pins, clamps: pins};
  },
  pose: ([x, y, z]) => [x, y - 0.4 * (x + 0.5) ** 2, z],
};

export const PIECES: readonly Piece[] = [
  cloth,
  flag,
  curtain,
  tablecloth,
  hammock,
  rope,
  softCube,
  softBall,
  cable,
  ...rigids,
  points,
];

export interface Obstacle {
  readonly kind: 'plane' | 'sphere' | 'capsule' | 'box' | 'cylinder' | 'height_field';
  readonly name: string;
  readonly doc: string;
  readonly icon: IconName;
  readonly only: readonly string[];
  readonly values: Values;
}

// Columns and rows of the hills that the gallery has, and what lies between them.
const HILLS = {side: 41, spacing: 0.1};

// Waves that go in several ways, none of them high; all of it above a ground at 0.
function hills(): number[] {
  const {side, spacing} = HILLS;
  return Array.from({length: side * side}, (_, i) => {
    const x = (i % side) * spacing;
    const z = Math.floor(i / side) * spacing;
    return 0.12 * Math.sin(2.3 * x + 0.4) * Math.cos(1.9 * z) + 0.07 * Math.sin(1.3 * x - 3.1 * z) + 0.2;
  });
}

export const OBSTACLES: readonly Obstacle[] = [
  {
    kind: 'plane',
    name: 'Ground',
    doc: 'A plane that stops everything above it.',
    icon: 'plane',
    only: ['name', 'position', 'normal', 'friction', 'friction_kinetic', 'restitution', 'surface_velocity', 'surface_spin'],
    values: {position: [0, 0, 0], normal: [0, 1, 0]},
  },
  {
    kind: 'sphere',
    name: 'Ball',
    doc: 'A sphere for cloth to drape over.',
    icon: 'sphere',
    only: ['name', 'position', 'radius', 'friction', 'friction_kinetic', 'restitution', 'surface_velocity', 'surface_spin'],
    values: {position: [0, 0.5, 0], radius: 0.4},
  },
  {
    kind: 'capsule',
    name: 'Capsule',
    doc: 'A bar with round ends.',
    icon: 'capsule',
    only: ['name', 'position', 'rotation', 'radius', 'length', 'friction', 'friction_kinetic', 'restitution', 'surface_velocity', 'surface_spin'],
    values: {position: [0, 0.8, 0], radius: 0.15, length: 0.8},
  },
  {
    kind: 'box',
    name: 'Box',
    doc: 'A box with rounded contacts.',
    icon: 'cube',
    only: ['name', 'position', 'rotation', 'half_extents', 'friction', 'friction_kinetic', 'restitution', 'surface_velocity', 'surface_spin'],
    values: {position: [0, 0.4, 0], half_extents: [0.4, 0.4, 0.4]},
  },
  {
    kind: 'cylinder',
    name: 'Cylinder',
    doc: 'A drum or a round table top.',
    icon: 'cylinder',
    only: ['name', 'position', 'rotation', 'radius', 'length', 'friction', 'friction_kinetic', 'restitution', 'surface_velocity', 'surface_spin'],
    values: {position: [0, 0.4, 0], radius: 0.35, length: 0.8},
  },
  {
    kind: 'height_field',
    name: 'Hills',
    doc: 'Uneven ground, solid below. A scene or a program can set its heights.',
    icon: 'hills',
    only: ['name', 'position', 'rotation', 'spacing', 'friction', 'friction_kinetic', 'restitution', 'surface_velocity', 'surface_spin'],
    values: {position: [0, 0, 0], columns: HILLS.side, spacing: HILLS.spacing, heights: hills()},
  },
];
