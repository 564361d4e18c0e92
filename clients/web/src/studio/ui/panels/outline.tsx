// What is in the world: bodies, colliders, loose constraints, people, and what they hold. A tree for the keyboard: arrows
// walk, Enter selects, Delete removes.
import type {ComponentChildren} from 'preact';
import {useState} from 'preact/hooks';

import type {SelectMode, Thing} from '../../model/selection.js';
import {CONSTRAINT_KINDS, type ConstraintKind} from '../../model/values.js';
import {IconButton} from '../controls/button.js';
import {Icon, type IconName} from '../controls/icons.js';
import {useStudio} from '../context.js';
import {Section} from '../forms/form.js';
import {formatCount} from '../forms/numbers.js';
import {prettyName} from '../forms/units.js';
import {bodyName, COLLIDER_ICONS, colliderName, personName} from '../names.js';
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
        class="panel-body scrolls"
        role="tree"
        aria-label="Things of the world"
        aria-multiselectable="true"
        onKeyDown={walk}
      >
        <Row
          icon="world"
          name="World"
          stop
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
          aside={windy ? undefined : 'none'}
          chosen={selected.wind}
          onSelect={(mode) => selection.select([{kind: 'wind'}], mode)}
        />
        <Section name={`Bodies${bodies.length > 0 ? ` ${formatCount(bodies.length)}` : ''}`}>
          <Rows
            empty="None yet."
            rows={bodies.map((body) => {
              const thing: Thing = {kind: 'body', body: body.body};
              const held = selected.particles.get(body.body)?.length;
              return (
                <Row
                  key={body.body}
                  icon={body.kind}
                  name={bodyName(body)}
                  aside={
                    held
                      ? `${formatCount(held)} of ${formatCount(body.particles)}`
                      : formatCount(body.particles)
                  }
                  asideTip="Particles"
                  chosen={selected.bodies.has(body.body)}
                  partly={held !== undefined}
                  onSelect={(mode) => selection.select([thing], mode)}
                  onFocus={() => app.view?.focus('selection')}
                  onRemove={() => void remove(app, thing)}
                />
              );
            })}
          />
        </Section>
        <Section name={`Colliders${colliders.length > 0 ? ` ${colliders.length}` : ''}`}>
          <Rows
            empty="None yet."
            rows={colliders.map((collider) => {
              const thing: Thing = {kind: 'collider', collider: collider.collider};
              return (
                <Row
                  key={collider.collider}
                  icon={COLLIDER_ICONS[collider.kind]}
                  name={colliderName(collider)}
                  chosen={selected.colliders.has(collider.collider)}
                  onSelect={(mode) => selection.select([thing], mode)}
                  onFocus={() => app.view?.focus('selection')}
                  onRemove={() => void remove(app, thing)}
                />
              );
            })}
          />
        </Section>
        <LooseConstraints />
        <Section name={`People ${document.people.value.length}`} open={false}>
          {document.people.value.map((person) => (
            <div key={person.session} class="row person">
              <Face name={person.user} session={person.session} />
              <span class="grow">{personName(person)}</span>
              {person.session === app.session.id.value && <span class="faint">you</span>}
            </div>
          ))}
        </Section>
        {grabs.length > 0 && (
          <Section name="Held">
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
          </Section>
        )}
      </div>
    </aside>
  );
}

async function remove(app: ReturnType<typeof useStudio>['app'], thing: Thing): Promise<void> {
  const done =
    thing.kind === 'body'
      ? await app.commands.removeBody(thing.body)
      : thing.kind === 'collider'
        ? await app.commands.removeCollider(thing.collider)
        : thing.kind === 'constraint'
          ? await app.commands.removeConstraints([thing.constraint])
          : undefined;
  if (done && !done.ok) app.notices.error(done.error);
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
    <Section name={`Constraints ${formatCount(total)}`}>
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
                onRemove={() => void remove(app, thing)}
              />
            );
          }),
        )}
      />
    </Section>
  );
}

function Rows({rows, empty}: {rows: ComponentChildren[]; empty?: string}) {
  const [most, setMost] = useState(ROWS_AT_FIRST);
  if (rows.length === 0) return empty ? <p class="faint row-note">{empty}</p> : null;
  return (
    <>
      {rows.slice(0, most)}
      {rows.length > most && (
        <button type="button" class="menu-item" onClick={() => setMost(most * 4)}>
          <span class="faint">{formatCount(rows.length - most)} more</span>
        </button>
      )}
    </>
  );
}

interface RowProps {
  icon: IconName;
  name: string;
  aside?: string;
  asideTip?: string;
  chosen?: boolean;
  partly?: boolean;
  // Where the tab key comes to; arrows reach the others.
  stop?: boolean;
  onSelect: (mode: SelectMode) => void;
  onFocus?: () => void;
  onRemove?: () => void;
}

function Row({icon, name, aside, asideTip, chosen, partly, stop, onSelect, onFocus, onRemove}: RowProps) {
  return (
    <div
      class={chosen ? 'row chosen' : partly ? 'row partly' : 'row'}
      role="treeitem"
      aria-selected={chosen === true}
      tabIndex={chosen || stop ? 0 : -1}
      onClick={(event) => onSelect(event.shiftKey || event.ctrlKey || event.metaKey ? 'toggle' : 'replace')}
      onDblClick={onFocus}
      onKeyDown={(event) => {
        if (event.key === 'Enter' || event.key === ' ') {
          event.preventDefault();
          event.stopPropagation();
          onSelect(event.shiftKey || event.ctrlKey ? 'toggle' : 'replace');
        } else if ((event.key === 'Delete' || event.key === 'Backspace') && onRemove) {
          event.stopPropagation();
          onRemove();
        }
      }}
    >
      <Icon name={icon} />
      <span class="grow">{name}</span>
      {aside && (
        <span class="faint numeric" data-tip={asideTip}>
          {aside}
        </span>
      )}
    </div>
  );
}

function walk(event: KeyboardEvent): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const rows = [
    ...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>(
      '[role="treeitem"], .section-toggle',
    ),
  ];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  const next = rows[Math.max(0, Math.min(rows.length - 1, at + (event.key === 'ArrowDown' ? 1 : -1)))];
  event.preventDefault();
  event.stopPropagation();
  next?.focus();
}
