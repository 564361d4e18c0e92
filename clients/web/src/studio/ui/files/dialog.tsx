// A mesh from a file, before it is added: what it is, how large it will be, where it will stand, and of what it is.
import {useEffect, useMemo, useState} from 'preact/hooks';

import {LIMITS, type Field} from '../../../lib/index.js';
import {Button} from '../controls/button.js';
import {Dialog} from '../controls/dialog.js';
import {useStudio} from '../context.js';
import {Draft, unsaid, type Values} from '../forms/binding.js';
import {FieldsForm, formFields, MethodForm} from '../forms/form.js';
import {formatCount, formatNumber} from '../forms/numbers.js';
import {bodyFields, nameFor, placeFor} from '../gallery/add.js';
import {withinBytes} from '../names.js';
import {BodyMaterial} from '../gallery/dialog.js';
import {Picture} from '../gallery/picture.js';
import type {Mesh} from '../gallery/mesh.js';
import {placed, scaleFor, type Placement} from './placement.js';
import type {FileMesh} from './read.js';
import {boundsOf} from './weld.js';

type Kind = 'cloth' | 'rope' | 'points';

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
  {name: 'up', type: 'enum', values: ['y', 'z'], default: 'y', doc: 'Which axis of the file points up.'},
  {name: 'turn', type: 'float', min: -180, max: 180, default: 0, unit: '°', doc: 'About the vertical.'},
  {
    name: 'position',
    type: 'vec3',
    default: [0, 0, 0],
    unit: 'm',
    doc: 'Where the middle of its underside stands.',
  },
  {
    name: 'pins',
    type: 'enum',
    values: ['none', 'top', 'bottom'],
    default: 'none',
    doc: 'Which particles are held.',
  },
];

const MATERIALS: Record<Kind, Values> = {
  cloth: {density: 0.2, thickness: 0.01, stretch: {compliance: 1e-6}, bend: {compliance: 1e-2}},
  rope: {density: 0.1, thickness: 0.01, stretch: {compliance: 1e-7}},
  points: {density: 0.01, thickness: 0.02},
};

// Room for a number behind it.
const NAME_BYTES = LIMITS.name_bytes.value - 8;

// Meshes with more triangles are drawn with a part of them.
const DRAWN_MAX = 6000;

export function ImportDialog({mesh, onClose}: {mesh: FileMesh; onClose: () => void}) {
  const {app} = useStudio();
  const kind: Kind = mesh.triangles.length > 0 ? 'cloth' : mesh.lines.length > 0 ? 'rope' : 'points';
  const draft = useMemo(() => {
    const name = nameFor(app, {name: withinBytes(mesh.name, NAME_BYTES)});
    return new Draft({
      ...MATERIALS[kind],
      name,
      scale: scaleFor(mesh.positions),
      position: placeFor(app, 0.5),
    });
  }, [mesh]);
  const [busy, setBusy] = useState(false);
  const values = draft.values.value;
  const positions = useMemo(() => placed(mesh.positions, placementOf(values)), [mesh, values]);
  const error = draft.refused.value;
  const size = sizeWords(positions);

  useEffect(() => {
    app.viewState.preview.value = {positions, triangles: mesh.triangles, lines: mesh.lines};
    return () => (app.viewState.preview.value = null);
  }, [positions]);

  const add = async () => {
    setBusy(true);
    const pins = pinsOf(positions, String(values['pins'] ?? 'none'));
    const added = await app.commands.addBody({
      ...bodyFields(values),
      kind,
      positions,
      ...(kind === 'cloth' ? {triangles: mesh.triangles} : kind === 'rope' ? {edges: mesh.lines} : {}),
      ...(pins.length > 0 ? {pins} : {}),
    });
    setBusy(false);
    draft.refused.value = added.ok ? null : added.error;
    if (!added.ok) return;
    app.selection.select([{kind: 'body', body: added.result.body}]);
    const [warning] = added.result.warnings;
    if (warning) app.notices.info(warning.text);
    onClose();
  };

  const drawn: Mesh = {
    positions,
    ...(kind === 'cloth' ? {triangles: thinned(mesh.triangles)} : kind === 'rope' ? {edges: mesh.lines} : {}),
  };
  const except = [
    'kind',
    'volume',
    ...(kind === 'cloth' ? [] : ['bend']),
    ...(kind === 'points' ? ['stretch'] : []),
  ];
  const shown = [...FIELDS, ...formFields('body.add', undefined, except)].map(({name}) => name);
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
          <Button look="primary" disabled={busy} onClick={() => void add()} data-first="">
            Add as {kind}
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
              {formatCount(mesh.merged)} of {formatCount(mesh.vertices)} vertices lay where others lie and
              were welded.
            </li>
          )}
          {mesh.collapsed > 0 && <li>{formatCount(mesh.collapsed)} faces without area were left out.</li>}
          {mesh.unused > 0 && <li>{formatCount(mesh.unused)} vertices that nothing uses were left out.</li>}
          <li class="numeric">{size}</li>
        </ul>
      </div>
      <MethodForm method="body.add" binding={draft} only={['name']} />
      <FieldsForm fields={FIELDS} binding={draft} names={{scale: 'Scale', up: 'Up'}} />
      <BodyMaterial draft={draft} kind={kind} except={except} />
    </Dialog>
  );
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

function contents(mesh: FileMesh): string {
  const particles = `${formatCount(mesh.positions.length / 3)} particles`;
  if (mesh.triangles.length > 0) return `${particles}, ${formatCount(mesh.triangles.length / 3)} triangles`;
  return mesh.lines.length > 0 ? `${particles}, ${formatCount(mesh.lines.length / 2)} edges` : particles;
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
