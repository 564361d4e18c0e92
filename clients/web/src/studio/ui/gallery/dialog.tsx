// The gallery: pictures of what can be made, and a form for the one that is chosen.
import type {ComponentChildren} from 'preact';
import {useMemo, useRef, useState} from 'preact/hooks';

import type {Outcome} from '../../model/outcome.js';
import {Button} from '../controls/button.js';
import {Dialog} from '../controls/dialog.js';
import {Icon} from '../controls/icons.js';
import {step, useRoving} from '../controls/roving.js';
import {useStudio} from '../context.js';
import {ACCEPT} from '../files/formats.js';
import {takeFiles} from '../files/take.js';
import {Draft, unsaid, type Values} from '../forms/binding.js';
import {MaterialChoice} from '../forms/choice.js';
import {FieldsForm, formFields, MethodForm, PartForm, Section} from '../forms/form.js';
import {materialOf, nameOfMaterial, type TetMesh} from '../forms/materials.js';
import {counted} from '../forms/numbers.js';
import {FORCE_NAMES, isUnread, STRENGTH_UNITS} from '../panels/inspector/forcewords.js';
import {isUnfit, kindOfMaterial} from '../panels/inspector/body.js';
import type {Vec3} from '../../model/values.js';
import {addObstacle, addPiece, freePlace, nameFor, placeFor} from './add.js';
import {addField, FIELDS, type FieldPiece} from './fields.js';
import {Picture} from './picture.js';
import {colliderExtent, madeExtent} from './place.js';
import {OBSTACLES, PIECES, type Obstacle, type Piece} from './pieces.js';

type Choice = {readonly piece: Piece} | {readonly obstacle: Obstacle} | {readonly field: FieldPiece};

// Where drafts began.
const starts = new WeakMap<Draft, unknown>();

function begun(values: Values): Draft {
  const draft = new Draft(values);
  starts.set(draft, values['position']);
  return draft;
}

// What lies below everything needs no free place.
const GROUNDS: ReadonlySet<string> = new Set(['plane', 'height_field']);

function isGround(choice: Choice): boolean {
  return 'obstacle' in choice && GROUNDS.has(choice.obstacle.kind);
}

function askedFor(asked: string | null): Choice | null {
  const piece = PIECES.find(({id}) => id === asked);
  const obstacle = OBSTACLES.find(({kind}) => kind === asked);
  return piece ? {piece} : obstacle ? {obstacle} : null;
}

export function Gallery({onClose}: {onClose: () => void}) {
  const studio = useStudio();
  const {app, ui} = studio;
  // Where there is room for the form beside the tiles it is there from the start: nothing moves under the pointer.
  const [choice, setChoice] = useState<Choice | null>(
    () => askedFor(ui.piece.peek()) ?? (ui.narrow.peek() || !PIECES[0] ? null : {piece: PIECES[0]}),
  );
  const [busy, setBusy] = useState(false);
  const draft = useMemo(() => begun(choice ? startOf(app, choice) : {}), [choice]);
  const error = draft.refused.value;
  const size = useSize(choice, draft.values.value);

  const add = async (what: Choice | null, from: Draft) => {
    if (!what) return;
    setBusy(true);
    const values = from.values.peek();
    // Where nobody said where: it may have become larger, and others may have been quicker.
    const unmoved = values['position'] === starts.get(from) && !isGround(what);
    const done = await made(what, unmoved ? inFreePlace(app, what, values) : values);
    setBusy(false);
    from.refused.value = done.ok ? null : done.error;
    if (done.ok) onClose();
  };
  const made = (what: Choice, values: Values): Promise<Outcome<unknown>> =>
    'field' in what
      ? addField(app, what.field.kind, values['field'] as Values)
      : 'piece' in what
      ? addPiece(app, what.piece, what.piece.make(values), values)
      : addObstacle(app, {...values, kind: what.obstacle.kind});

  return (
    <Dialog
      title="New"
      width={choice ? 780 : 560}
      onClose={onClose}
      footer={
        choice && (
          <>
            <span class="grow refused" role="alert">
              {choice && unsaid(error, shownFor(choice))}
            </span>
            <span class="faint numeric">{size}</span>
            <Button type="submit" form="gallery-form" look="primary" disabled={busy || draft.held.value.size > 0}>
              Add
            </Button>
          </>
        )
      }
    >
      <div class={choice ? 'gallery chosen' : 'gallery'}>
        <div class="tiles">
          <h3>Bodies</h3>
          <Tiles label="Bodies">
            {PIECES.map((piece) => (
              <Tile
                key={piece.id}
                name={piece.name}
                doc={piece.doc}
                chosen={choice !== null && 'piece' in choice && choice.piece === piece}
                onChoose={() => setChoice({piece})}
                onAdd={() => void add({piece}, begun(startOf(app, {piece})))}
              >
                <PiecePicture piece={piece} />
              </Tile>
            ))}
          </Tiles>
          <h3>Colliders</h3>
          <Tiles label="Colliders" low>
            {OBSTACLES.map((obstacle) => (
              <Tile
                key={obstacle.kind}
                name={obstacle.name}
                doc={obstacle.doc}
                chosen={choice !== null && 'obstacle' in choice && choice.obstacle === obstacle}
                onChoose={() => setChoice({obstacle})}
                onAdd={() => void add({obstacle}, begun(startOf(app, {obstacle})))}
              >
                <Icon name={obstacle.icon} />
              </Tile>
            ))}
          </Tiles>
          <h3>Fields of force</h3>
          <Tiles label="Fields of force" low>
            {FIELDS.map((field) => (
              <Tile
                key={field.kind}
                name={field.name}
                doc={field.doc}
                chosen={choice !== null && 'field' in choice && choice.field === field}
                onChoose={() => setChoice({field})}
                onAdd={() => void add({field}, begun(startOf(app, {field})))}
              >
                <Icon name={field.icon} />
              </Tile>
            ))}
          </Tiles>
          <label class="drop-here">
            <Icon name="upload" />
            <span>
              Drop a mesh on the page, or <u>choose a file</u>
              <span class="faint">OBJ, PLY, STL, glTF, TetGen, Gmsh</span>
            </span>
            <input
              type="file"
              class="unseen"
              multiple
              accept={`${ACCEPT},.bin`}
              onChange={(event) => {
                const files = [...(event.currentTarget.files ?? [])];
                if (files.length > 0) takeFiles(studio, files);
              }}
            />
          </label>
        </div>
        {choice && (
          <form
            key={'piece' in choice ? choice.piece.id : 'field' in choice ? `field ${choice.field.kind}` : choice.obstacle.kind}
            id="gallery-form"
            class="details scrolls"
            onSubmit={(event) => {
              event.preventDefault();
              void add(choice, draft);
            }}
          >
            {'piece' in choice ? (
              <PieceForm piece={choice.piece} draft={draft} />
            ) : 'field' in choice ? (
              <>
                <p class="lead">{choice.field.doc}</p>
                <PartForm
                  method="force.add"
                  part="field"
                  binding={draft}
                  hidden={(path) => isUnread(path, choice.field.kind)}
                  names={FORCE_NAMES}
                  units={{'field.strength': STRENGTH_UNITS[choice.field.kind]}}
                />
              </>
            ) : (
              <>
                <p class="lead">{choice.obstacle.doc}</p>
                <MethodForm method="collider.add" binding={draft} only={choice.obstacle.only} />
              </>
            )}
          </form>
        )}
      </div>
    </Dialog>
  );
}

// One stop of the Tab key, with arrows from tile to tile; Enter and Space choose.
function Tiles({label, low, children}: {label: string; low?: boolean; children: ComponentChildren}) {
  const box = useRef<HTMLDivElement>(null);
  useRoving(box, TILE);
  const walk = (event: KeyboardEvent) => {
    const grid = box.current;
    const columns = grid ? getComputedStyle(grid).gridTemplateColumns.split(' ').length : 1;
    const by = {ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns, Home: -Infinity, End: Infinity}[
      event.key
    ];
    if (by === undefined || !grid) return;
    event.preventDefault();
    event.stopPropagation();
    step(grid, TILE, by, false);
  };
  return (
    <div ref={box} class={low ? 'tile-grid low' : 'tile-grid'} role="listbox" aria-label={label} onKeyDown={walk}>
      {children}
    </div>
  );
}

const TILE = '[role="option"]';

type App = Parameters<typeof nameFor>[0];

function startOf(app: App, choice: Choice): Values {
  if ('field' in choice) {
    const {values} = choice.field;
    const [, height = 1] = (values['position'] ?? []) as number[];
    return {field: {...values, position: placeFor(app, height)}};
  }
  if ('obstacle' in choice) {
    const {values, kind} = choice.obstacle;
    const height = (values['position'] as number[] | undefined)?.[1] ?? 0;
    if (GROUNDS.has(kind)) return {...values, position: [0, 0, 0]};
    return inFreePlace(app, choice, {...values, position: placeFor(app, height)});
  }
  const {piece} = choice;
  const place = piece.fields.find((field) => field.name === 'position')?.default as number[] | undefined;
  const position = placeFor(app, place?.[1] ?? 1);
  return inFreePlace(app, choice, {...piece.material, name: nameFor(app, piece), position});
}

// Nothing stands in the way of a field.
function inFreePlace(app: App, choice: Choice, values: Values): Values {
  if ('field' in choice) return values;
  const extent =
    'piece' in choice
      ? madeExtent(choice.piece.make(values))
      : colliderExtent({...values, kind: choice.obstacle.kind});
  return {...values, position: freePlace(app, values['position'] as Vec3, extent)};
}

// How many particles it would have. The mesh is made for that, but not again for what does not shape it.
function useSize(choice: Choice | null, values: Values): string {
  const piece = choice && 'piece' in choice ? choice.piece : null;
  const shape = piece?.fields.map(({name}) => values[name]);
  return useMemo(() => {
    const count = piece ? piece.make(values).mesh.positions.length / 3 : NaN;
    return Number.isFinite(count) ? counted(count, 'particle') : '';
  }, [piece, JSON.stringify(shape)]);
}

function exceptFor(piece: Piece): readonly string[] {
  return [
    'kind',
    'weld',
    'pressure', // none of them is closed
    'shape', // the inspector gives it
    ...(piece.kind === 'cloth' ? [] : ['bend']),
    ...(piece.kind === 'soft' ? [] : ['volume', 'solid']),
    ...(piece.kind === 'points' || piece.kind === 'rigid' ? ['stretch'] : []),
    ...(piece.kind === 'rope' ? [] : ['rod']),
    ...(piece.kind === 'cloth' ? [] : ['tear', 'material']),
    ...(piece.kind === 'cloth' || piece.kind === 'soft' ? [] : ['wind']),
    'rigid', // the numbers of the piece make it
  ];
}

// The fields that have a control in the form.
function shownFor(choice: Choice): readonly string[] {
  if ('field' in choice) return ['field'];
  if ('obstacle' in choice) return choice.obstacle.only;
  const {piece} = choice;
  return [...piece.fields, ...formFields('body.add', undefined, exceptFor(piece))].map(({name}) => name);
}

function PieceForm({piece, draft}: {piece: Piece; draft: Draft}) {
  const made = piece.kind === 'soft' ? piece.make(draft.values.value).mesh : undefined;
  const mesh = made?.tets ? {positions: made.positions, tets: made.tets} : undefined;
  return (
    <>
      <p class="lead">{piece.doc}</p>
      <MethodForm method="body.add" binding={draft} only={['name']} />
      <FieldsForm fields={piece.fields} binding={draft} />
      <BodyMaterial draft={draft} kind={piece.kind} except={exceptFor(piece)} mesh={mesh} />
    </>
  );
}

const DENSITY: Record<Piece['kind'], string> = {cloth: 'kg/m²', rope: 'kg/m', points: 'kg', soft: 'kg/m³', rigid: 'kg/m³'};

// What the body is made of, folded away until one of its fields is refused.
export function BodyMaterial({
  draft,
  kind,
  except,
  mesh,
}: {
  draft: Draft;
  kind: Piece['kind'];
  except: readonly string[];
  // Of a soft body: its materials go by its size.
  mesh?: TetMesh;
}) {
  const all = ['name', ...except];
  const give = (name: string) => {
    const material = materialOf(kind, name, mesh);
    if (material) draft.values.value = {...draft.values.peek(), ...material};
    draft.forget('masses');
  };
  return (
    <>
      <MaterialChoice kind={kind} value={nameOfMaterial(kind, draft.values.value, mesh)} onGive={give} />
      <Section
        name="Material"
        open={false}
        reveal={formFields('body.add', undefined, all)
          .map(({name}) => draft.refusal(name))
          .find(Boolean)}
      >
        <MethodForm
          method="body.add"
          binding={draft}
          except={all}
          hidden={(path) => isUnfit(path, kind, (draft.values.value['stretch'] as Values | undefined)?.['model'])}
          kindOf={(path) => kindOfMaterial(path, draft.values.value as {bend?: {model?: string}})}
          units={{density: DENSITY[kind]}}
          names={{
            'stretch.stiffness': 'Stretch: PBD stiffness',
            'bend.stiffness': 'Bend: PBD stiffness',
            'volume.stiffness': 'Volume: PBD stiffness',
            masses: 'Mass of each particle',
          }}
        />
      </Section>
    </>
  );
}

// Coarse, since it is small.
const FEW: Readonly<Record<string, Values>> = {
  curtain: {cells: 48},
  'soft-cube': {cells: 4},
  'soft-ball': {detail: 2},
  points: {count: 27},
};

function PiecePicture({piece}: {piece: Piece}) {
  const mesh = useMemo(() => {
    const made = piece.make(FEW[piece.id] ?? {cells: 14});
    return made.look ?? made.mesh;
  }, [piece]);
  return <Picture mesh={mesh} pose={piece.pose} />;
}

interface TileProps {
  name: string;
  doc: string;
  chosen: boolean;
  onChoose: () => void;
  onAdd: () => void;
  children: ComponentChildren;
}

function Tile({name, doc, chosen, onChoose, onAdd, children}: TileProps) {
  return (
    <button
      type="button"
      class={chosen ? 'tile chosen' : 'tile'}
      role="option"
      aria-selected={chosen}
      aria-description={doc}
      onClick={onChoose}
      onDblClick={onAdd}
    >
      <span class="tile-picture">{children}</span>
      <span>{name}</span>
    </button>
  );
}
