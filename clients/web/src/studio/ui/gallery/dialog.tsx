// The gallery: pictures of what can be made, and a form for the one that is chosen.
import {useMemo, useState} from 'preact/hooks';

import type {Outcome} from '../../model/outcome.js';
import {Button} from '../controls/button.js';
import {Dialog} from '../controls/dialog.js';
import {Icon} from '../controls/icons.js';
import {useStudio} from '../context.js';
import {ACCEPT} from '../files/formats.js';
import {takeFiles} from '../files/take.js';
import {Draft, unsaid, type Values} from '../forms/binding.js';
import {FieldsForm, formFields, MethodForm, Section} from '../forms/form.js';
import {formatCount} from '../forms/numbers.js';
import {kindOfMaterial} from '../panels/inspector/body.js';
import {addObstacle, addPiece, nameFor, placeFor} from './add.js';
import {Picture} from './picture.js';
import {OBSTACLES, PIECES, type Obstacle, type Piece} from './pieces.js';

type Choice = {readonly piece: Piece} | {readonly obstacle: Obstacle};

export function Gallery({onClose}: {onClose: () => void}) {
  const studio = useStudio();
  const {app, ui} = studio;
  // Where there is room for the form beside the tiles it is there from the start: nothing moves under the pointer.
  const [choice, setChoice] = useState<Choice | null>(() =>
    ui.narrow.peek() || !PIECES[0] ? null : {piece: PIECES[0]},
  );
  const [busy, setBusy] = useState(false);
  const draft = useMemo(() => new Draft(choice ? startOf(app, choice) : {}), [choice]);
  const error = draft.refused.value;

  const add = async (what: Choice | null, from: Draft) => {
    if (!what) return;
    setBusy(true);
    const done = await made(what, from.values.peek());
    setBusy(false);
    from.refused.value = done.ok ? null : done.error;
    if (done.ok) onClose();
  };
  const made = (what: Choice, values: Values): Promise<Outcome<unknown>> =>
    'piece' in what
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
            <span class="faint numeric">
              {'piece' in choice ? sizeWords(choice.piece, draft.values.value) : ''}
            </span>
            <Button type="submit" form="gallery-form" look="primary" disabled={busy}>
              Add
            </Button>
          </>
        )
      }
    >
      <div class={choice ? 'gallery chosen' : 'gallery'}>
        <div class="tiles">
          <h3>Bodies</h3>
          <div class="tile-grid" role="listbox" aria-label="Bodies">
            {PIECES.map((piece) => (
              <Tile
                key={piece.id}
                name={piece.name}
                doc={piece.doc}
                chosen={choice !== null && 'piece' in choice && choice.piece === piece}
                onChoose={() => setChoice({piece})}
                onAdd={() => void add({piece}, new Draft(startOf(app, {piece})))}
              >
                <PiecePicture piece={piece} />
              </Tile>
            ))}
          </div>
          <h3>Colliders</h3>
          <div class="tile-grid low" role="listbox" aria-label="Colliders">
            {OBSTACLES.map((obstacle) => (
              <Tile
                key={obstacle.kind}
                name={obstacle.name}
                doc={obstacle.doc}
                chosen={choice !== null && 'obstacle' in choice && choice.obstacle === obstacle}
                onChoose={() => setChoice({obstacle})}
                onAdd={() => void add({obstacle}, new Draft(startOf(app, {obstacle})))}
              >
                <Icon name={obstacle.icon} />
              </Tile>
            ))}
          </div>
          <label class="drop-here">
            <Icon name="upload" />
            <span>
              Drop a mesh on the page, or <u>choose a file</u>
              <span class="faint">OBJ, PLY, STL, glTF</span>
            </span>
            <input
              type="file"
              class="unseen"
              multiple
              accept={`${ACCEPT},.bin`}
              onChange={(event) => {
                const files = [...(event.currentTarget.files ?? [])];
                if (files.length > 0) void takeFiles(studio, files);
              }}
            />
          </label>
        </div>
        {choice && (
          <form
            key={'piece' in choice ? choice.piece.id : choice.obstacle.kind}
            id="gallery-form"
            class="details scrolls"
            onSubmit={(event) => {
              event.preventDefault();
              void add(choice, draft);
            }}
          >
            {'piece' in choice ? (
              <PieceForm piece={choice.piece} draft={draft} />
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

function startOf(app: Parameters<typeof nameFor>[0], choice: Choice): Values {
  if ('obstacle' in choice) {
    const {values, kind} = choice.obstacle;
    const height = (values['position'] as number[] | undefined)?.[1] ?? 0;
    return {...values, position: kind === 'plane' ? [0, 0, 0] : placeFor(app, height)};
  }
  const {piece} = choice;
  const place = piece.fields.find((field) => field.name === 'position')?.default as number[] | undefined;
  return {...piece.material, name: nameFor(app, piece), position: placeFor(app, place?.[1] ?? 1)};
}

function sizeWords(piece: Piece, values: Values): string {
  const count = piece.make(values).mesh.positions.length / 3;
  return Number.isFinite(count) ? `${formatCount(count)} particles` : '';
}

function exceptFor(piece: Piece): readonly string[] {
  return [
    'kind',
    'weld',
    ...(piece.kind === 'cloth' ? [] : ['bend']),
    ...(piece.kind === 'soft' ? [] : ['volume']),
    ...(piece.kind === 'points' ? ['stretch'] : []),
  ];
}

// The fields that have a control in the form.
function shownFor(choice: Choice): readonly string[] {
  if ('obstacle' in choice) return choice.obstacle.only;
  const {piece} = choice;
  return [...piece.fields, ...formFields('body.add', undefined, exceptFor(piece))].map(({name}) => name);
}

function PieceForm({piece, draft}: {piece: Piece; draft: Draft}) {
  return (
    <>
      <p class="lead">{piece.doc}</p>
      <MethodForm method="body.add" binding={draft} only={['name']} />
      <FieldsForm fields={piece.fields} binding={draft} />
      <BodyMaterial draft={draft} kind={piece.kind} except={exceptFor(piece)} />
    </>
  );
}

const DENSITY: Record<Piece['kind'], string> = {cloth: 'kg/m²', rope: 'kg/m', points: 'kg', soft: 'kg/m³'};

// What the body is made of, folded away until one of its fields is refused.
export function BodyMaterial({
  draft,
  kind,
  except,
}: {
  draft: Draft;
  kind: Piece['kind'];
  except: readonly string[];
}) {
  const all = ['name', ...except];
  return (
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
        kindOf={(path) => kindOfMaterial(path, draft.values.value as {bend?: {model?: string}})}
        units={{density: DENSITY[kind]}}
        names={{
          'stretch.stiffness': 'PBD stiffness',
          'bend.stiffness': 'PBD stiffness',
          'volume.stiffness': 'PBD stiffness',
          masses: 'Mass of each',
        }}
      />
    </Section>
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
  const mesh = useMemo(() => piece.make(FEW[piece.id] ?? {cells: 14}).mesh, [piece]);
  return <Picture mesh={mesh} pose={piece.pose} />;
}

interface TileProps {
  name: string;
  doc: string;
  chosen: boolean;
  onChoose: () => void;
  onAdd: () => void;
  children: preact.ComponentChildren;
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
