// Lists the world: bodies, obstacles (colliders, and bodies of which nothing moves), loose constraints, people, and what
// they hold. A tree for the keyboard: up and down walk, left and right fold and unfold, Enter and Space select, Delete
// removes. With Shift a press or an arrow selects all from where the last selection began; with Ctrl a press adds or
// removes one.
import type {ComponentChildren} from 'preact';
import {useRef, useState} from 'preact/hooks';

import type {SelectMode, Thing} from '../../model/selection.js';
import {groupOf, groupsOf, leafOf} from '../../model/groups.js';
import {isObstacle} from '../../model/obstacle.js';
import {CONSTRAINT_KINDS, type Body, type Collider, type ConstraintKind} from '../../model/values.js';
import {IconButton} from '../controls/button.js';
import {Icon, type IconName} from '../controls/icons.js';
import {step, useRoving} from '../controls/roving.js';
import {useStudio} from '../context.js';
import {formatCount} from '../forms/numbers.js';
import {prettyName} from '../forms/units.js';
import {useKeptFocus} from '../keys/focus.js';
import {bodyName, COLLIDER_ICONS, colliderName, FORCE_ICONS, forceName, personName} from '../names.js';
import {removeThing} from '../removal.js';
import {groupSelected} from './grouping.js';
import {Face} from './menus.js';
import {GroupRows, Marks} from './outlinegroups.js';

const ROWS_AT_FIRST = 100;

export function Outline({onClose}: {onClose: () => void}) {
  const studio = useStudio();
  const {app, ui} = studio;
  const {document, selection} = app;
  const bodies = [...document.bodies.value.values()];
  const colliders = [...document.colliders.value.values()];
  const selected = selection.selected.value;
  const windy =
    document.settings.value.wind.density > 0 && Math.hypot(...document.settings.value.wind.velocity) > 0;
  const grabs = [...document.grabs.value.values()].filter((grab) => grab.session !== app.session.id.value);
  const sleeping = app.frames.sleeping.value;
  const tree = useRef<HTMLDivElement>(null);
  useRoving(tree, ITEM);
  useKeptFocus(tree, ITEM);
  const isLoose = ({name}: {name: string}) => groupOf(name) === '';
  const bodyRow = (body: Body, level = 2) => {
    const thing: Thing = {kind: 'body', body: body.body};
    const held = selected.particles.get(body.body)?.length;
    return (
      <Row
        key={body.body}
        icon={body.kind}
        name={leafOf(bodyName(body))}
        level={level}
        sleeps={sleeping.has(body.body)}
        aside={
          held
            ? `${formatCount(held)} of ${formatCount(body.particles)}`
            : formatCount(body.particles)
        }
        asideTip="Particles"
        chosen={selected.bodies.has(body.body)}
        partly={held !== undefined}
        thing={thing}
        onSelect={(mode) => selection.select([thing], mode)}
        onFocus={() => app.view?.focus('selection')}
        marks={<Marks keys={[`body:${body.body}`]} name={bodyName(body)} />}
        onRemove={() => void removeThing(app, thing)}
      />
    );
  };
  const colliderRow = (collider: Collider, level = 2) => {
    const thing: Thing = {kind: 'collider', collider: collider.collider};
    return (
      <Row
        key={`collider ${collider.collider}`}
        icon={COLLIDER_ICONS[collider.kind]}
        name={leafOf(colliderName(collider))}
        level={level}
        chosen={selected.colliders.has(collider.collider)}
        thing={thing}
        onSelect={(mode) => selection.select([thing], mode)}
        onFocus={() => app.view?.focus('selection')}
        marks={<Marks keys={[`collider:${collider.collider}`]} name={colliderName(collider)} />}
        onRemove={() => void removeThing(app, thing)}
      />
    );
  };
  const moving = bodies.filter((body) => isLoose(body) && !isObstacle(body));
  const obstacles = [
    ...bodies.filter((body) => isLoose(body) && isObstacle(body)).map((body) => bodyRow(body)),
    ...colliders.filter(isLoose).map((collider) => colliderRow(collider)),
  ];
  return (
    <aside class="panel side outline" aria-label="Outline">
      <header class="panel-head">
        <h2>{document.name.value || 'Outline'}</h2>
        {!document.looking.value && (
          <>
            <IconButton
              icon="plus"
              name="New body or collider"
              hotkey="N"
              size="small"
              look="muted"
              onClick={() => (ui.dialog.value = 'new')}
            />
            <IconButton
              icon="group"
              name="Group the selection"
              hotkey="Ctrl+G"
              size="small"
              look="muted"
              disabled={document.readOnly.value !== '' || selected.bodies.size + selected.colliders.size === 0}
              onClick={(event) => void groupSelected(studio, event.currentTarget as Element)}
            />
          </>
        )}
        <IconButton
          icon="close"
          name="Close the outline"
          hotkey="O"
          size="small"
          look="muted"
          onClick={onClose}
        />
      </header>
      <div
        ref={tree}
        class="panel-body scrolls"
        tabIndex={-1}
        role="tree"
        aria-label="Contents of the world"
        aria-multiselectable="true"
        onKeyDown={(event) => walk(event, (things) => selection.select(things))}
      >
        <Row
          icon="world"
          name="World"
          level={1}
          chosen={selection.empty.value && ui.settings.value}
          onSelect={() => {
            selection.clear();
            ui.settings.value = true;
            if (ui.narrow.peek()) ui.sheet.value = 'inspector';
          }}
        />
        <Row
          icon="wind"
          name="Wind"
          level={1}
          aside={windy ? undefined : 'none'}
          chosen={selected.wind}
          thing={{kind: 'wind'}}
          onSelect={(mode) => selection.select([{kind: 'wind'}], mode)}
        />
        <GroupRows groups={groupsOf(bodies, colliders)} level={1} bodyRow={bodyRow} colliderRow={colliderRow} />
        {(bodies.length === 0 || moving.length > 0) && (
          <Branch name="Bodies" count={moving.length}>
            <Rows empty="None yet." rows={moving.map((body) => bodyRow(body))} />
          </Branch>
        )}
        {(colliders.length === 0 || obstacles.length > 0) && (
          <Branch name="Obstacles" count={obstacles.length}>
            <Rows empty="None yet." rows={obstacles} />
          </Branch>
        )}
        <ForceFields />
        <LooseConstraints />
        <Branch name="People" count={document.people.value.length} open={false}>
          {document.people.value.map((person) => (
            <Row
              key={person.session}
              icon={<Face name={person.user} session={person.session} />}
              name={personName(person)}
              aside={person.session === app.session.id.value ? 'you' : undefined}
            />
          ))}
        </Branch>
        {grabs.length > 0 && (
          <Branch name="Held" count={grabs.length}>
            {grabs.map((grab) => {
              const body = document.bodies.value.get(grab.body);
              return (
                <Row
                  key={grab.grab}
                  icon="drag"
                  name={`${personName(grab)}: ${body ? bodyName(body) : 'a body'}`}
                  aside={`#${grab.particle}`}
                  onSelect={(mode) => selection.selectParticles(grab.body, [grab.particle], mode)}
                />
              );
            })}
          </Branch>
        )}
      </div>
    </aside>
  );
}

function ForceFields() {
  const {app} = useStudio();
  const forces = [...app.document.forces.value.values()];
  const chosen = app.selection.selected.value.forces;
  if (forces.length === 0) return null;
  return (
    <Branch name="Fields of force" count={forces.length}>
      {forces.map((field) => {
        const thing: Thing = {kind: 'force', force: field.force};
        return (
          <Row
            key={field.force}
            icon={FORCE_ICONS[field.kind]}
            name={forceName(field)}
            chosen={chosen.has(field.force)}
            onSelect={(mode) => app.selection.select([thing], mode)}
            onFocus={() => app.view?.focus('selection')}
            onRemove={() => void removeThing(app, thing)}
          />
        );
      })}
    </Branch>
  );
}

// Those that somebody added between particles; a body's own are thousands, and belong to its material.
function LooseConstraints() {
  const {app} = useStudio();
  const {selection, document} = app;
  const tables = CONSTRAINT_KINDS.map((kind) => [kind, document.constraints.loose(kind).value] as const);
  const total = tables.reduce((sum, [, table]) => sum + (table?.ids.length ?? 0), 0);
  const selected = selection.selected.value.constraints;
  if (total === 0) return null;
  return (
    <Branch name="Constraints" count={total}>
      <Rows
        rows={tables.flatMap(([kind, table]) =>
          Array.from(table?.ids ?? [], (id) => {
            const thing: Thing = {kind: 'constraint', constraint: id, type: kind as ConstraintKind};
            return (
              <Row
                key={id}
                icon="constraint"
                name={`${prettyName(kind)} ${id}`}
                chosen={selected.has(id)}
                thing={thing}
                onSelect={(mode) => selection.select([thing], mode)}
                onFocus={() => app.view?.focus('selection')}
                onRemove={() => void removeThing(app, thing)}
              />
            );
          }),
        )}
      />
    </Branch>
  );
}

function Rows({rows, empty}: {rows: ComponentChildren[]; empty?: string}) {
  const [most, setMost] = useState(ROWS_AT_FIRST);
  if (rows.length === 0) return empty ? <Row name={empty} quiet /> : null;
  return (
    <>
      {rows.slice(0, most)}
      {rows.length > most && (
        <Row name={`${formatCount(rows.length - most)} more`} quiet onSelect={() => setMost(most * 4)} />
      )}
    </>
  );
}

const ITEM = '[role="treeitem"]';

// A part of the tree that can be folded away.
function Branch(props: {name: string; count: number; open?: boolean; children: ComponentChildren}) {
  const [open, setOpen] = useState(props.open ?? true);
  return (
    <>
      <div
        class="row branch"
        role="treeitem"
        aria-level={1}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        onKeyDown={(event) => {
          const wanted = {ArrowRight: true, ArrowLeft: false, Enter: !open, ' ': !open}[event.key];
          if (wanted === undefined || wanted === open) return;
          event.preventDefault();
          event.stopPropagation();
          setOpen(wanted);
        }}
      >
        <Icon name={open ? 'down' : 'right'} />
        <span>{props.name}</span>{' '}
        {props.count > 0 && <span class="faint numeric">{formatCount(props.count)}</span>}
      </div>
      {open && props.children}
    </>
  );
}

interface RowProps {
  icon?: IconName | ComponentChildren;
  name: string;
  level?: number;
  // Buttons at its end.
  marks?: ComponentChildren;
  // Words rather than a thing.
  quiet?: boolean;
  aside?: string;
  asideTip?: string;
  sleeps?: boolean;
  chosen?: boolean;
  partly?: boolean;
  // A range of rows can select it.
  thing?: Thing;
  onSelect?: (mode: SelectMode) => void;
  onFocus?: () => void;
  onRemove?: () => void;
}

function Row(props: RowProps) {
  const {icon, name, level = 2, quiet, aside, asideTip, marks, sleeps, chosen, partly, onSelect, onFocus, onRemove} = props;
  const {selection} = useStudio().app;
  const choose = (event: {currentTarget: HTMLElement; shiftKey: boolean; ctrlKey: boolean; metaKey: boolean}) => {
    const row = event.currentTarget;
    const more = event.ctrlKey || event.metaKey;
    if (event.shiftKey && props.thing) {
      selection.select(rangeTo(row), more ? 'add' : 'replace');
    } else {
      if (props.thing) began = row;
      onSelect?.(more ? 'toggle' : 'replace');
    }
  };
  return (
    <div
      class={chosen ? 'row chosen' : partly ? 'row partly' : 'row'}
      role="treeitem"
      style={{'--level': level}}
      aria-level={level}
      aria-selected={onSelect && !quiet ? chosen === true : undefined}
      data-thing={props.thing && JSON.stringify(props.thing)}
      onClick={choose}
      onDblClick={onFocus}
      onKeyDown={(event) => {
        if (event.key === 'Enter' || event.key === ' ') {
          event.preventDefault();
          event.stopPropagation();
          choose(event);
        } else if ((event.key === 'Delete' || event.key === 'Backspace') && onRemove) {
          event.stopPropagation();
          onRemove();
        }
      }}
    >
      {typeof icon === 'string' ? <Icon name={icon as IconName} /> : icon}
      <span class={quiet ? 'grow faint' : 'grow'}>{name}</span>
      {sleeps && (
        <span class="faint" role="img" aria-label="sleeps" data-tip="Sleeps until something wakes it">
          <Icon name="sleep" />
        </span>
      )}
      {aside && (
        <span class="faint numeric" data-tip={asideTip}>
          {aside}
        </span>
      )}
      {marks}
    </div>
  );
}

// The row that was selected last without Shift, from which a range goes.
let began: HTMLElement | null = null;

// The things of the rows from there to this one; this one alone if the other is gone.
function rangeTo(row: HTMLElement): Thing[] {
  const rows = [...(row.closest('[role="tree"]')?.querySelectorAll<HTMLElement>('[data-thing]') ?? [])];
  const ends = [began && rows.includes(began) ? began : row, row].map((end) => rows.indexOf(end));
  return rows
    .slice(Math.min(...ends), Math.max(...ends) + 1)
    .map(({dataset}) => JSON.parse(dataset.thing ?? '') as Thing);
}

// What a branch does not take itself: to the next, to the ends, and from a thing to the branch it is in.
function walk(event: KeyboardEvent, select: (things: readonly Thing[]) => void): void {
  const tree = event.currentTarget as HTMLElement;
  const here = event.target as HTMLElement;
  const by = {ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity}[event.key];
  if (by !== undefined) {
    if (event.shiftKey && here.dataset.thing && !(began && tree.contains(began))) began = here;
    step(tree, ITEM, by, false);
    const row = document.activeElement;
    if (event.shiftKey && row instanceof HTMLElement && row.dataset.thing) select(rangeTo(row));
  } else if (event.key === 'ArrowLeft' && Number(here.getAttribute('aria-level')) > 1) {
    const level = Number(here.getAttribute('aria-level'));
    let up = here.previousElementSibling;
    while (up && Number(up.getAttribute('aria-level')) >= level) up = up.previousElementSibling;
    if (up instanceof HTMLElement) up.focus();
  } else if (event.key === 'ArrowRight' && here.getAttribute('aria-expanded') === 'true') {
    step(tree, ITEM, 1, false);
  } else if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') {
    return;
  }
  event.preventDefault();
  event.stopPropagation();
}
