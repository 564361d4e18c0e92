// The groups in the outline (model/groups.ts): each is a line that folds, selects all of its things, and hides and locks them
// together.
import type {ComponentChildren} from 'preact';
import {useEffect, useRef, useState} from 'preact/hooks';

import {thingsOf, type Group} from '../../model/groups.js';
import type {Body, Collider} from '../../model/values.js';
import {IconButton} from '../controls/button.js';
import {Icon} from '../controls/icons.js';
import {useStudio} from '../context.js';
import {formatCount} from '../forms/numbers.js';
import {removeGroup, renameGroup, selectGroup, typedGroup} from './grouping.js';
import {hideKeys, lockKeys} from './look.js';

interface Props {
  groups: readonly Group[];
  level: number;
  bodyRow: (body: Body, level: number) => ComponentChildren;
  colliderRow: (collider: Collider, level: number) => ComponentChildren;
}

export function GroupRows({groups, level, bodyRow, colliderRow}: Props) {
  return (
    <>
      {groups.map((group) => (
        <GroupBranch key={group.path} group={group} level={level} bodyRow={bodyRow} colliderRow={colliderRow} />
      ))}
    </>
  );
}

// Groups that are folded, by their paths: they stay so while the outline is closed.
const folded = new Set<string>();

function GroupBranch({group, level, bodyRow, colliderRow}: Omit<Props, 'groups'> & {group: Group}) {
  const studio = useStudio();
  const [open, setOpen] = useState(!folded.has(group.path));
  const fold = (wanted: boolean) => {
    if (wanted) folded.delete(group.path);
    else folded.add(group.path);
    setOpen(wanted);
  };
  const things = thingsOf(group);
  const keys = things.map((thing) => (thing.kind === 'body' ? `body:${thing.body}` : `collider:${thing.collider}`));
  const {bodies, colliders} = studio.app.selection.selected.value;
  const chosen = things.every((thing) => (thing.kind === 'body' ? bodies.has(thing.body) : colliders.has(thing.collider)));
  const typed = typedGroup.value === group.path;
  const select = (event: MouseEvent | KeyboardEvent) =>
    selectGroup(studio, group, event.shiftKey || event.ctrlKey || event.metaKey ? 'toggle' : 'replace');
  return (
    <>
      <div
        class={chosen ? 'row group chosen' : 'row group'}
        style={{'--level': level}}
        role="treeitem"
        aria-level={level}
        aria-expanded={open}
        aria-selected={chosen}
        onClick={select}
        onDblClick={() => {
          if (!studio.app.document.looking.peek()) typedGroup.value = group.path;
        }}
        onKeyDown={(event) => {
          if (event.target !== event.currentTarget) return;
          const wanted = {ArrowRight: true, ArrowLeft: false}[event.key];
          if (wanted !== undefined && wanted !== open) fold(wanted);
          else if (event.key === 'Enter' || event.key === ' ') select(event);
          else if (event.key === 'Delete' || event.key === 'Backspace') void removeGroup(studio, group);
          else if (event.key === 'F2' && !studio.app.document.looking.peek()) typedGroup.value = group.path;
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      >
        <span
          class="fold"
          onClick={(event) => {
            event.stopPropagation();
            fold(!open);
          }}
        >
          <Icon name={open ? 'down' : 'right'} />
        </span>
        <Icon name="group" />
        {typed ? (
          <NameBox group={group} />
        ) : (
          <span class="grow">
            {group.name}
            <span class="unseen">, group of</span> <span class="faint numeric">{formatCount(things.length)}</span>
          </span>
        )}
        <Marks keys={keys} name={group.name} rename={typed || studio.app.document.looking.value ? undefined : () => (typedGroup.value = group.path)} />
      </div>
      {open && (
        <>
          <GroupRows groups={group.groups} level={level + 1} bodyRow={bodyRow} colliderRow={colliderRow} />
          {group.bodies.map((body) => bodyRow(body, level + 1))}
          {group.colliders.map((collider) => colliderRow(collider, level + 1))}
        </>
      )}
    </>
  );
}

// The name of a group while it is typed. Enter gives it, Escape leaves it as it was.
function NameBox({group}: {group: Group}) {
  const studio = useStudio();
  const box = useRef<HTMLInputElement>(null);
  const over = useRef(false);
  useEffect(() => box.current?.select(), []);
  const leave = () => {
    over.current = true;
    const row = box.current?.closest<HTMLElement>('[role="treeitem"]');
    typedGroup.value = null;
    row?.focus();
  };
  const give = async () => {
    if (over.current) return;
    const name = box.current?.value ?? group.name;
    leave();
    await renameGroup(studio, group, name);
  };
  return (
    <input
      ref={box}
      class="input grow"
      aria-label="Name of the group"
      defaultValue={group.name}
      onClick={(event) => event.stopPropagation()}
      onDblClick={(event) => event.stopPropagation()}
      onBlur={() => void give()}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Enter') void give();
        else if (event.key === 'Escape') leave();
      }}
    />
  );
}

// An eye and a padlock at the end of a line. They are seen where the pointer is, and where something is hidden or locked. They
// are for pointers: the keyboard and the inspector do the same to the selection.
export function Marks({keys, name, rename}: {keys: readonly string[]; name: string; rename?: (() => void) | undefined}) {
  const {app} = useStudio();
  const own = app.viewState.own.value;
  const hidden = keys.length > 0 && keys.every((key) => own.get(key)?.hidden);
  const locked = keys.length > 0 && keys.every((key) => own.get(key)?.locked);
  const press = (act: () => void) => (event: MouseEvent) => {
    event.stopPropagation();
    act();
  };
  return (
    <>
      {(hidden || locked) && <span class="unseen">{hidden && locked ? 'hidden, locked' : hidden ? 'hidden' : 'locked'}</span>}
      <span class="marks" aria-hidden="true">
        {rename && (
          <IconButton
            icon="edit"
            name={`Rename ${name}`}
            hotkey="F2"
            size="small"
            look="muted"
            class="mark"
            tabIndex={-1}
            onClick={press(rename)}
          />
        )}
        <IconButton
          icon={hidden ? 'hidden' : 'eye'}
          name={hidden ? `Show ${name}` : `Hide ${name}`}
          hotkey="Shift+H"
          size="small"
          look="muted"
          class={hidden ? 'mark on' : 'mark'}
          tabIndex={-1}
          onClick={press(() => hideKeys(app, keys, !hidden))}
        />
        <IconButton
          icon={locked ? 'locked' : 'unlocked'}
          name={locked ? `Unlock ${name}` : `Lock ${name}`}
          hotkey="Shift+L"
          size="small"
          look="muted"
          class={locked ? 'mark on' : 'mark'}
          tabIndex={-1}
          onClick={press(() => lockKeys(app, keys, !locked))}
        />
      </span>
    </>
  );
}
