// The gallery: pictures of what can be made, and a form for the one that is chosen.
import {useMemo, useState} from 'preact/hooks';

import type {Outcome} from '../../model/outcome.js';
import {Button} from '../controls/button.js';
import {Dialog} from '../controls/dialog.js';
import {Icon} from '../controls/icons.js';
import {useStudio} from '../context.js';
import {ACCEPT} from '../files/formats.js';
import {takeFiles} from '../files/take.js';
import {Draft, type Values} from '../forms/binding.js';
import {FieldsForm, MethodForm, Section} from '../forms/form.js';
import {formatCount} from '../forms/numbers.js';
import {kindOfMaterial} from '../panels/inspector/body.js';
import {addObstacle, addPiece, nameFor, placeFor} from './add.js';
import {Picture} from './picture.js';
import {OBSTACLES, PIECES, type Obstacle, type Piece} from './pieces.js';

type Choice = {readonly piece: Piece} | {readonly obstacle: Obstacle};

export function Gallery({onClose}: {onClose: () => void}) {
  const studio = useStudio();
  const {app} = studio;
  const [choice, setChoice] = useState<Choice | null>(null);
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
              {error && draft.error(error.field ?? '') === undefined ? error.text : ''}
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
              <span class="faint"> OBJ, PLY, STL, glTF</span>
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

function PieceForm({piece, draft}: {piece: Piece; draft: Draft}) {
  const except = [
    'kind',
    'weld',
    ...(piece.kind === 'cloth' ? [] : ['bend']),
    ...(piece.kind === 'soft' ? [] : ['volume']),
    ...(piece.kind === 'points' ? ['stretch'] : []),
  ];
  return (
    <>
      <p class="lead">{piece.doc}</p>
      <FieldsForm fields={piece.fields} binding={draft} />
      <Section name="Material" open={false}>
        <BodyMaterial draft={draft} kind={piece.kind} except={except} />
      </Section>
    </>
  );
}

const DENSITY: Record<Piece['kind'], string> = {cloth: 'kg/m²', rope: 'kg/m', points: 'kg', soft: 'kg/m³'};

export function BodyMaterial({
  draft,
  kind,
  except,
}: {
  draft: Draft;
  kind: Piece['kind'];
  except: readonly string[];
}) {
  return (
    <MethodForm
      method="body.add"
      binding={draft}
      except={except}
      kindOf={(path) => kindOfMaterial(path, draft.values.value as {bend?: {model?: string}})}
      units={{density: DENSITY[kind]}}
      names={{
        'stretch.stiffness': 'PBD stiffness',
        'bend.stiffness': 'PBD stiffness',
        'volume.stiffness': 'PBD stiffness',
        masses: 'Mass of each',
      }}
    />
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
      data-tip={doc}
      onClick={onChoose}
      onDblClick={onAdd}
    >
      <span class="tile-picture">{children}</span>
      <span>{name}</span>
    </button>
  );
}
