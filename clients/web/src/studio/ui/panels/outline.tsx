// What is in the world: bodies, obstacles (colliders, and bodies of which nothing moves), loose constraints, people, and what they
// hold. A tree for the keyboard: up and down walk, left and right fold and unfold, Enter and Space select, Delete removes.
import type {ComponentChildren} from 'preact';
import {useRef, useState} from 'preact/hooks';

import type {SelectMode, Thing} from '../../model/selection.js';
import {CONSTRAINT_KINDS, isObstacle, type Body, type ConstraintKind} from '../../model/values.js';
import {IconButton} from '../controls/button.js';
import {Icon, type IconName} from '../controls/icons.js';
import {step, useRoving} from '../controls/roving.js';
import {useStudio} from '../context.js';
import {formatCount} from '../forms/numbers.js';
import {prettyName} from '../forms/units.js';
import {useKeptFocus} from '../keys/focus.js';
import {bodyName, COLLIDER_ICONS, colliderName, personName} from '../names.js';
import {removeThing} from '../removal.js';
import {Face} from './menus.js';

const ROWS_AT_FIRST = 100;

export function Outline({onClose}: {onClose: () => void}) {
  const {app, ui} = useStudio();
  const {document, selection} = app;
  const bodies = [...document.bodies.value.values()];
  const colliders = [...document.colliders.value.values()];
  const selected = selection.selected.value;
  const windy =
    document.settings.value.wind.density > 0 && Math.hypot(...document.settings.value.wind.velocity) > 0;
  const grabs = [...document.grabs.value.values()].filter((grab) => grab.session !== app.session.id.value);
  const sleeping = app.frames.sleeping.value;
  const still = bodies.filter(isObstacle);
  const bodyRow = (body: Body) => {
    const thing: Thing = {kind: 'body', body: body.body};
    const held = selected.particles.get(body.body)?.length;
    return (
      <Row
        key={body.body}
        icon={body.kind}
        name={bodyName(body)}
        sleeps={sleeping.has(body.body)}
        aside={held ? `${formatCount(held)} of ${formatCount(body.particles)}` : formatCount(body.particles)}
        asideTip="Particles"
        chosen={selected.bodies.has(body.body)}
        partly={held !== undefined}
        onSelect={(mode) => selection.select([thing], mode)}
        onFocus={() => app.view?.focus('selection')}
        onRemove={() => void removeThing(app, thing)}
      />
    );
  };
  const tree = useRef<HTMLDivElement>(null);
  useRoving(tree, ITEM);
  useKeptFocus(tree, ITEM);
  return (
    <aside class="panel side outline" aria-label="Outline">
      <header class="panel-head">
        <h2>{document.name.value || 'Outline'}</h2>
        <IconButton
          icon="plus"
          name="New body or collider"
          hotkey="N"
          size="small"
          look="muted"
          onClick={() => (ui.dialog.value = 'new')}
        />
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
        onKeyDown={walk}
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
          onSelect={(mode) => selection.select([{kind: 'wind'}], mode)}
        />
        <Branch name="Bodies" count={bodies.length - still.length}>
          <Rows empty="None yet." rows={bodies.filter((body) => !still.includes(body)).map(bodyRow)} />
        </Branch>
        <Branch name="Obstacles" count={still.length + colliders.length}>
          <Rows
            empty="None yet."
            rows={[
              ...still.map(bodyRow),
              ...colliders.map((collider) => {
                const thing: Thing = {kind: 'collider', collider: collider.collider};
                return (
                  <Row
                    key={`collider ${collider.collider}`}
                    icon={COLLIDER_ICONS[collider.kind]}
                    name={colliderName(collider)}
                    chosen={selected.colliders.has(collider.collider)}
                    onSelect={(mode) => selection.select([thing], mode)}
                    onFocus={() => app.view?.focus('selection')}
                    onRemove={() => void removeThing(app, thing)}
                  />
                );
              }),
            ]}
          />
        </Branch>
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
  level?: 1 | 2;
  // Words rather than a thing.
  quiet?: boolean;
  aside?: string;
  asideTip?: string;
  sleeps?: boolean;
  chosen?: boolean;
  partly?: boolean;
  onSelect?: (mode: SelectMode) => void;
  onFocus?: () => void;
  onRemove?: () => void;
}

function Row(props: RowProps) {
  const {icon, name, level = 2, quiet, aside, asideTip, sleeps, chosen, partly, onSelect, onFocus, onRemove} = props;
  return (
    <div
      class={chosen ? 'row chosen' : partly ? 'row partly' : 'row'}
      role="treeitem"
      aria-level={level}
      aria-selected={onSelect && !quiet ? chosen === true : undefined}
      onClick={(event) => onSelect?.(event.shiftKey || event.ctrlKey || event.metaKey ? 'toggle' : 'replace')}
      onDblClick={onFocus}
      onKeyDown={(event) => {
        if (event.key === 'Enter' || event.key === ' ') {
          event.preventDefault();
          event.stopPropagation();
          onSelect?.(event.shiftKey || event.ctrlKey || event.metaKey ? 'toggle' : 'replace');
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
    </div>
  );
}

// What a branch does not take itself: to the next, to the ends, and from a thing to the branch it is in.
function walk(event: KeyboardEvent): void {
  const tree = event.currentTarget as HTMLElement;
  const here = event.target as HTMLElement;
  const by = {ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity}[event.key];
  if (by !== undefined) {
    step(tree, ITEM, by, false);
  } else if (event.key === 'ArrowLeft' && here.getAttribute('aria-level') === '2') {
    let up = here.previousElementSibling;
    while (up && up.getAttribute('aria-level') !== '1') up = up.previousElementSibling;
    if (up instanceof HTMLElement) up.focus();
  } else if (event.key === 'ArrowRight' && here.getAttribute('aria-expanded') === 'true') {
    step(tree, ITEM, 1, false);
  } else if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') {
    return;
  }
  event.preventDefault();
  event.stopPropagation();
}
