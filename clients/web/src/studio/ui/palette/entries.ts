// Everything that the palette finds: what can be done, what is in the world, what can be added, the fields of what is
// selected, and other worlds.
import type {Thing} from '../../model/selection.js';
import {CONSTRAINT_KINDS} from '../../model/values.js';
import type {IconName} from '../controls/icons.js';
import type {Studio} from '../context.js';
import {prettyName} from '../forms/units.js';
import {OBSTACLES, PIECES} from '../gallery/pieces.js';
import {isOffered} from '../keys/keyboard.js';
import {run, shownKey, VERBS} from '../keys/verbs.js';
import {bodyName, COLLIDER_ICONS, colliderName, personName} from '../names.js';
import {fieldsOf, goToField} from './fields.js';

export interface Entry {
  readonly id: string;
  readonly name: string;
  // The kind of the entry, for those who see it among others.
  readonly kind: string;
  readonly icon: IconName;
  readonly hotkey?: string;
  readonly run: (studio: Studio) => void;
}

const LOOSE_AT_MOST = 500;

export function entriesOf(studio: Studio): Entry[] {
  return [...verbs(studio), ...fields(studio), ...things(studio), ...pieces(studio), ...places(studio)];
}

function verbs(studio: Studio): Entry[] {
  return VERBS.filter((verb) => verb.run && verb.id !== 'palette' && isOffered(verb, studio)).map((verb) => ({
    id: `verb ${verb.id}`,
    name: verb.name,
    kind: verb.group,
    icon: 'keyboard',
    hotkey: shownKey(verb),
    run: (there) => run(there, verb.id),
  }));
}

function fields(studio: Studio): Entry[] {
  return fieldsOf(studio).map((field) => ({
    id: `field ${field.part} ${field.name}`,
    name: field.part === '' ? field.name : `${field.part}: ${field.name.toLowerCase()}`,
    kind: 'Field',
    icon: 'sliders',
    run: (there) => goToField(there, field),
  }));
}

function things({app}: Studio): Entry[] {
  const {bodies, colliders, constraints} = app.document;
  const entry = (id: string, name: string, kind: string, icon: IconName, thing: Thing): Entry => ({
    id,
    name,
    kind,
    icon,
    run: ({app: there, ui}) => {
      there.selection.select([thing]);
      there.view?.focus('selection');
      if (ui.narrow.peek()) ui.sheet.value = null;
    },
  });
  return [
    ...[...bodies.peek().values()].map((body) =>
      entry(`body ${body.body}`, bodyName(body), 'Body', body.kind, {kind: 'body', body: body.body}),
    ),
    ...[...colliders.peek().values()].map((collider) =>
      entry(`collider ${collider.collider}`, colliderName(collider), 'Collider', COLLIDER_ICONS[collider.kind], {
        kind: 'collider',
        collider: collider.collider,
      }),
    ),
    entry('wind', 'Wind', 'World', 'wind', {kind: 'wind'}),
    ...CONSTRAINT_KINDS.flatMap((type) =>
      Array.from(constraints.loose(type).peek()?.ids.subarray(0, LOOSE_AT_MOST) ?? [], (constraint) =>
        entry(`constraint ${constraint}`, `${prettyName(type)} ${constraint}`, 'Constraint', 'constraint', {
          kind: 'constraint',
          constraint,
          type,
        }),
      ),
    ),
  ];
}

function pieces({app}: Studio): Entry[] {
  if (app.document.readOnly.peek() !== '') return [];
  const add = (id: string, name: string, icon: IconName): Entry => ({
    id: `piece ${id}`,
    name: `Add: ${name}`,
    kind: 'New',
    icon,
    run: ({ui}) => {
      ui.piece.value = id;
      ui.dialog.value = 'new';
    },
  });
  return [
    ...PIECES.map((piece) => add(piece.id, piece.name, piece.kind)),
    ...OBSTACLES.map((obstacle) => add(obstacle.kind, obstacle.name, obstacle.icon)),
  ];
}

// Worlds, views of this one, and people in it.
function places({app}: Studio): Entry[] {
  const me = app.session.id.peek();
  const home = app.document.home.peek();
  return [
    ...app.viewState.savedViews.peek().map(
      (view): Entry => ({
        id: `view ${view.name}`,
        name: view.name,
        kind: 'View',
        icon: 'camera',
        run: ({app: there}) => there.view?.goTo(view.pose),
      }),
    ),
    ...app.document.people
      .peek()
      .filter(({session}) => session !== me && app.people.others.peek().has(session))
      .map(
        (person): Entry => ({
          id: `person ${person.session}`,
          name: `Follow ${personName(person)}`,
          kind: 'Person',
          icon: 'person',
          run: ({app: there}) => there.people.follow(person.session),
        }),
      ),
    ...app.worlds.list
      .peek()
      .filter(({world}) => world !== home)
      .map(
        ({name, world}): Entry => ({
          id: `world ${world}`,
          name: `Open ${name}`,
          kind: 'World',
          icon: 'world',
          run: ({app: there}) => void there.open(name),
        }),
      ),
  ];
}
