// A mesh from a file, before it is added: what it is, how large it will be, where it will stand, and of what it is.
import {useEffect, useLayoutEffect, useMemo, useRef, useState} from 'preact/hooks';

import {LIMITS, type Field} from '../../../lib/index.js';
import {Button} from '../controls/button.js';
import {Dialog} from '../controls/dialog.js';
import {useStudio} from '../context.js';
import {plainWords} from '../errors.js';
import {Draft, unsaid, type Values} from '../forms/binding.js';
import {FieldsForm, formFields, MethodForm} from '../forms/form.js';
import {counted, formatCount, formatNumber} from '../forms/numbers.js';
import {bodyFields, freePlace, meanSide, nameFor, placeFor} from '../gallery/add.js';
import {withinBytes} from '../names.js';
import {BodyMaterial} from '../gallery/dialog.js';
import {Picture} from '../gallery/picture.js';
import {extentOf} from '../gallery/place.js';
import type {Mesh} from '../gallery/mesh.js';
import {materialOf, nameOfMaterial} from '../forms/materials.js';
import {lookOf} from './look.js';
import {placed, scaleFor, type Placement} from './placement.js';
import {ProgressRow, useLong} from './progress.js';
import type {FileMesh} from './read.js';
import {useSolid} from './solid.js';
import {boundsOf} from './bounds.js';

type Kind = 'cloth' | 'rope' | 'points' | 'soft' | 'obstacle';

const FIELDS: readonly Field[] = [
  {
    name: 'scale',
    type: 'float',
    min: 1e-6,
    max: 1e6,
    default: 1,
    unit: 'm',
    doc: 'Metres for one unit of the file.',
  },
  {name: 'up', type: 'enum', values: ['y', 'z'], default: 'y', doc: 'The axis of the file that points up.'},
  {name: 'turn', type: 'float', min: -180, max: 180, default: 0, unit: '°', doc: 'Rotation about the vertical axis.'},
  {
    name: 'position',
    type: 'vec3',
    default: [0, 0, 0],
    unit: 'm',
    doc: 'Position of the middle of its underside.',
  },
  {
    name: 'pins',
    type: 'enum',
    values: ['none', 'top', 'bottom'],
    default: 'none',
    doc: 'Particles that stay where they are.',
  },
];

const MATERIALS: Record<Kind, Values> = {
  cloth: {density: 0.2, thickness: 0.01, stretch: {compliance: 1e-6}, bend: {compliance: 1e-2}},
  rope: {density: 0.1, thickness: 0.01, stretch: {compliance: 1e-7}},
  points: {density: 0.01, thickness: 0.02},
  // Its material goes by its size, and is filled in when that is known.
  soft: {thickness: 0.01},
  // It weighs nothing, so that it stays, and who does not move need not meet itself.
  obstacle: {masses: 0, self_contact: false, contact_group: 1, contact_mask: 1},
};

// What a surface may become besides a cloth; a closed one that is filled, into how many cells it is cut.
const SOLID: readonly Field[] = [
  {
    name: 'as',
    type: 'enum',
    values: ['cloth', 'soft', 'obstacle'],
    default: 'cloth',
    doc: 'A cloth made of its triangles; a soft body, whose surface is filled with a lattice of tetrahedra; or an obstacle, which does not move.',
  },
];
const CELLS: readonly Field[] = [
  {
    name: 'cells',
    type: 'u32',
    min: 1,
    max: 100000,
    default: 1000,
    doc: 'Approximate number of cells that fill it, of five tetrahedra each. More cells follow the shape more closely and cost more time.',
  },
];

// What there is to say of an obstacle: it is of no material.
const OF_OBSTACLE = ['thickness', 'friction', 'contact_group', 'contact_mask'];

// Room for a number behind it.
const NAME_BYTES = LIMITS.name_bytes.value - 8;

// Parts of the mean edge, and of the length that 5 % of the edges are shorter than; as `weft load` has them.
const THICKNESS_OF_EDGE = 0.15;
const THICKNESS_OF_SHORT = 0.35;
const SHORT_SHARE = 0.05;
const THICKNESS_MAX = 1;

// Meshes with more triangles are drawn with a part of them.
const DRAWN_MAX = 6000;

export function ImportDialog({mesh, onClose}: {mesh: FileMesh; onClose: () => void}) {
  const {app} = useStudio();
  const kindOf = (values: Values): Kind =>
    mesh.tets || values['as'] === 'soft'
      ? 'soft'
      : mesh.triangles.length > 0
        ? values['as'] === 'obstacle'
          ? 'obstacle'
          : 'cloth'
        : mesh.lines.length > 0
          ? 'rope'
          : 'points';
  const draft = useMemo(() => {
    const name = nameFor(app, {name: withinBytes(mesh.name, NAME_BYTES)});
    const values: Values = {...MATERIALS[kindOf({})], name, scale: scaleFor(mesh.positions)};
    const wanted = placeFor(app, 0.5);
    const at = placed(mesh.positions, placementOf({...values, position: wanted}));
    return new Draft({...values, position: freePlace(app, wanted, extentOf(at))});
  }, [mesh]);
  const [busy, setBusy] = useState(false);
  const values = draft.values.value;
  const kind = kindOf(values);
  const placement = placementOf(values);
  // Other fields do not move it; half a million vertices are not moved for each letter of a name.
  const where = JSON.stringify(placement);
  const positions = useMemo(() => placed(mesh.positions, placement), [mesh, where]);
  const cells = Number(values['cells'] ?? 1000);
  const solid = useSolid(mesh, kind === 'soft', cells);
  const long = useLong(solid?.busy === true);
  // Back to what there was: the last filling, or a cloth.
  const callOff = () => {
    if (solid?.body) draft.give('cells', solid.cells);
    else draft.give('as', 'cloth');
  };
  const filled = useMemo(
    () =>
      solid?.body && {
        positions: placed(solid.body.positions, placement, mesh.positions),
        tets: solid.body.tets,
      },
    [solid?.body, where],
  );
  const was = useRef<Kind>(kind);
  // Before anything is shown with values that are not of it yet.
  useLayoutEffect(() => {
    const met = was.current === 'obstacle' || kind === 'obstacle' ? CONTACT_PARTS : [];
    was.current = kind;
    if (kind === 'rope' || kind === 'points') return;
    draft.values.value = {...MATERIALS[kind], ...without(draft.values.peek(), [...MATERIAL_PARTS, ...met])};
  }, [kind]);
  // What is thick by the length of its edges follows the scale, until somebody says otherwise.
  const byEdges = useRef<number | undefined>(undefined);
  useLayoutEffect(() => {
    const {thickness} = draft.values.peek();
    const own = thickness !== undefined && thickness !== byEdges.current;
    byEdges.current = kind === 'obstacle' ? thicknessOf({positions, triangles: mesh.triangles}) : undefined;
    if (byEdges.current !== undefined && !own) draft.give('thickness', byEdges.current);
  }, [kind, positions]);
  // A soft body is of jelly unless a person chooses otherwise. Its material depends on its size, so it is filled in
  // again.
  const last = useRef<typeof filled>(undefined);
  useLayoutEffect(() => {
    const before = last.current;
    last.current = filled;
    const name = before ? nameOfMaterial('soft', draft.values.peek(), before) : 'jelly';
    const made = filled && name !== undefined && materialOf('soft', name, filled);
    if (made) draft.values.value = {...without(draft.values.peek(), MATERIAL_PARTS), ...made};
  }, [filled]);
  const error = draft.refused.value;
  const size = sizeWords(positions);

  useEffect(() => {
    app.viewState.preview.value = {positions, triangles: mesh.triangles, lines: mesh.lines};
    return () => (app.viewState.preview.value = null);
  }, [positions]);

  const add = async () => {
    if (kind === 'soft' && (!filled || solid?.busy)) return;
    setBusy(true);
    const particles = filled?.positions ?? positions;
    const pins = pinsOf(particles, kind === 'obstacle' ? 'none' : String(values['pins'] ?? 'none'));
    const elements = {
      cloth: {triangles: mesh.triangles},
      obstacle: {triangles: mesh.triangles},
      rope: {edges: mesh.lines},
      points: {},
      soft: {tets: filled?.tets ?? new Uint32Array(), ...(solid?.body?.skin ? {skin: solid.body.skin} : {})},
    }[kind];
    const look = lookOf(kind === 'soft' ? (solid?.body?.skin && solid.body.paint) : mesh.paint, mesh.colours);
    const added = await app.commands.addBody({
      ...bodyFields(values),
      kind: kind === 'obstacle' ? 'cloth' : kind,
      positions: particles,
      ...elements,
      ...(look && {look}),
      ...(pins.length > 0 ? {pins} : {}),
    });
    setBusy(false);
    draft.refused.value = added.ok ? null : added.error;
    if (!added.ok) return;
    app.selection.select([{kind: 'body', body: added.result.body}]);
    const [warning] = added.result.warnings;
    if (warning) app.notices.info(plainWords(app, warning.text));
    onClose();
  };

  const drawn: Mesh = {
    positions,
    ...(kind === 'cloth' || kind === 'soft' || kind === 'obstacle'
      ? {triangles: thinned(mesh.triangles)}
      : kind === 'rope'
        ? {edges: mesh.lines}
        : {}),
  };
  const except = [
    'kind',
    'shape', // the inspector gives it
    ...(kind === 'soft' ? ['weld'] : ['volume', 'solid']),
    ...(kind === 'cloth' ? [] : ['bend', 'pressure']),
    ...(kind === 'points' ? ['stretch'] : []),
  ];
  const shown =
    kind === 'obstacle'
      ? ['name', ...FIELDS.map(({name}) => name), ...OF_OBSTACLE]
      : [...FIELDS, ...formFields('body.add', undefined, except)].map(({name}) => name);
  return (
    <Dialog
      title={`Add ${mesh.name}`}
      width={420}
      aside
      onClose={onClose}
      footer={
        <>
          <span class="grow refused" role="alert">
            {unsaid(error, shown)}
          </span>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="primary"
            disabled={busy || draft.held.value.size > 0 || (kind === 'soft' && (!filled || solid?.busy))}
            onClick={() => void add()}
            data-first=""
          >
            Add as {kind === 'soft' ? 'soft body' : kind === 'obstacle' ? 'an obstacle' : kind}
          </Button>
        </>
      }
    >
      <div class="import-head">
        <Picture mesh={drawn} width={132} height={100} />
        <ul class="about-list">
          <li>{contents(mesh)}</li>
          {mesh.merged > 0 && (
            <li>
              {formatCount(mesh.merged)} of {formatCount(mesh.vertices)} vertices lay where others lie and{' '}
              {mesh.merged === 1 ? 'was' : 'were'} welded.
            </li>
          )}
          {mesh.uncut > 0 && (
            <li>
              {counted(mesh.uncut, 'face')} {mesh.uncut === 1 ? 'crosses itself' : 'cross themselves'}: triangles may
              overlap there.
            </li>
          )}
          {mesh.collapsed > 0 && (
            <li>
              {counted(mesh.collapsed, 'face')} without area {mesh.collapsed === 1 ? 'was' : 'were'} left out.
            </li>
          )}
          {mesh.repeated > 0 && (
            <li>
              {counted(mesh.repeated, 'face')} {mesh.repeated === 1 ? 'was there twice and was' : 'were there twice and were'} left
              out.
            </li>
          )}
          {mesh.unused > 0 && (
            <li>
              {mesh.unused === 1
                ? '1 vertex that nothing uses was left out.'
                : `${formatCount(mesh.unused)} unused vertices were left out.`}
            </li>
          )}
          {solid?.body && !mesh.tets && !solid.busy && (
            <li>
              Filled with {counted(solid.body.positions.length / 3, 'particle')},{' '}
              {counted(solid.body.tets.length / 4, 'tetrahedron', 'tetrahedra')}
            </li>
          )}
          <li class="numeric">{size}</li>
        </ul>
      </div>
      <MethodForm method="body.add" binding={draft} only={['name']} />
      {!mesh.tets && mesh.triangles.length > 0 && (
        <FieldsForm
          fields={kind === 'soft' ? [...SOLID, ...CELLS] : SOLID}
          binding={draft}
          names={{as: 'As'}}
        />
      )}
      {solid && long && (
        <div class="filling">
          <ProgressRow
            of={mesh.name}
            {...(solid.doing ?? {doing: 'Filling', share: null})}
            cancel="Stop filling"
            onCancel={callOff}
          />
        </div>
      )}
      {solid?.refusal && !solid.busy && (
        <p class="refused row-note" role="alert">
          {solid.refusal}
        </p>
      )}
      <FieldsForm
        fields={kind === 'obstacle' ? FIELDS.filter(({name}) => name !== 'pins') : FIELDS}
        binding={draft}
        names={{scale: 'Scale', up: 'Up'}}
      />
      {kind === 'obstacle' ? (
        <MethodForm method="body.add" binding={draft} only={OF_OBSTACLE} />
      ) : (
        <BodyMaterial draft={draft} kind={kind} except={except} mesh={filled} />
      )}
    </Dialog>
  );
}

const MATERIAL_PARTS = ['density', 'masses', 'stretch', 'bend', 'volume', 'solid'];
const CONTACT_PARTS = ['thickness', 'friction', 'self_contact', 'contact_group', 'contact_mask'];

function without(values: Values, names: readonly string[]): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
}

function placementOf(values: Values): Placement {
  const number = (name: string, otherwise: number) =>
    typeof values[name] === 'number' ? (values[name] as number) : otherwise;
  return {
    scale: number('scale', 1),
    up: values['up'] === 'z' ? 'z' : 'y',
    turn: number('turn', 0),
    position: (values['position'] ?? [0, 0, 0]) as Placement['position'],
  };
}

function contents({positions, triangles, lines, tets}: FileMesh): string {
  const particles = counted(positions.length / 3, 'particle');
  if (tets) return `${particles}, ${counted(tets.length / 4, 'tetrahedron', 'tetrahedra')}`;
  if (triangles.length > 0) return `${particles}, ${counted(triangles.length / 3, 'triangle')}`;
  return lines.length > 0 ? `${particles}, ${counted(lines.length / 2, 'edge')}` : particles;
}

function sizeWords(positions: Float64Array): string {
  const {low, high} = boundsOf(positions);
  return `${high.map((x, axis) => formatNumber(x - (low[axis] ?? 0), 3)).join(' × ')} m`;
}

// The highest or lowest twentieth of the height.
function pinsOf(positions: Float64Array, which: string): Uint32Array {
  if (which === 'none') return new Uint32Array();
  const {low, high} = boundsOf(positions);
  const band = 0.05 * (high[1] - low[1]);
  const held = (y: number) => (which === 'top' ? y >= high[1] - band : y <= low[1] + band);
  return Uint32Array.from(
    Array.from({length: positions.length / 3}, (_, i) => i).filter((i) => held(positions[3 * i + 1] ?? 0)),
  );
}

function thinned(triangles: Uint32Array): Uint32Array {
  const every = Math.ceil(triangles.length / 3 / DRAWN_MAX);
  return every <= 1 ? triangles : triangles.filter((_, i) => Math.floor(i / 3) % every === 0);
}

// The length that 5 % of the sides are shorter than, among those that have a length.
function shortSide({positions, triangles}: Mesh): number {
  const corners = triangles ?? [];
  const lengths = new Float64Array(corners.length);
  for (let i = 0; i < corners.length; i++) {
    const [a, b] = [3 * corners[i]!, 3 * corners[i % 3 === 2 ? i - 2 : i + 1]!];
    lengths[i] = Math.hypot(...[0, 1, 2].map((axis) => positions[a + axis]! - positions[b + axis]!));
  }
  const sorted = lengths.filter((length) => length > 0).sort();
  return sorted[Math.floor(SHORT_SHARE * sorted.length)] ?? 0;
}

function thicknessOf(mesh: Mesh): number {
  const usual = THICKNESS_OF_EDGE * meanSide(mesh);
  const short = THICKNESS_OF_SHORT * shortSide(mesh);
  return Math.min(Number((short > 0 ? Math.min(usual, short) : usual).toPrecision(3)), THICKNESS_MAX);
}
