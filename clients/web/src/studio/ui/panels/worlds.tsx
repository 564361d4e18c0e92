// The world that is open, and the list of those there are.
import {useEffect, useLayoutEffect, useRef, useState} from 'preact/hooks';

import {WeftError, type WorldSummary} from '../../../lib/index.js';
import {Button, IconButton} from '../controls/button.js';
import {Dialog} from '../controls/dialog.js';
import {Icon} from '../controls/icons.js';
import {Popover} from '../controls/popover.js';
import {said, useStudio} from '../context.js';
import {errorWords} from '../errors.js';
import {Draft, unsaid} from '../forms/binding.js';
import {Switch} from '../forms/choice.js';
import {formFields, MethodForm} from '../forms/form.js';
import {formatBytes} from '../forms/numbers.js';
import {keyOf} from '../keys/verbs.js';
import {freeName} from '../names.js';
import {chooseScene} from '../scenes/scenes.js';

export function WorldButton() {
  const {app, ui} = useStudio();
  const anchor = useRef<HTMLButtonElement>(null);
  const open = ui.menu.value === 'worlds';
  const name = app.document.name.value;
  const phase = app.document.phase.value;
  return (
    <>
      <button
        ref={anchor}
        type="button"
        class="button world-button"
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-label={name ? `World ${name}` : 'No world'}
        data-tip="Worlds"
        data-key={keyOf('worlds')}
        onClick={() => (ui.menu.value = open ? null : 'worlds')}
      >
        <Mark />
        <span class="world-name">{name || 'No world'}</span>
        {phase === 'joined' && app.document.run.value.state === 'failed' && <span class="dot danger" />}
        <Icon name="down" />
      </button>
      {open && (
        <Popover
          anchor={anchor.current}
          name="Worlds"
          class="worlds-menu"
          onClose={() => (ui.menu.value = null)}
        >
          <WorldList onDone={() => (ui.menu.value = null)} />
        </Popover>
      )}
    </>
  );
}

// weft's mark: three threads over and under three.
function Mark() {
  return (
    <svg class="mark" viewBox="0 0 20 20" aria-hidden="true">
      <path d="M5 2v4M5 10v8M10 2v8M10 14v4M15 2v4M15 10v8" />
      <path class="weft" d="M2 8h11M17 8h1M2 12h6M12 12h6" />
    </svg>
  );
}

function WorldList({onDone}: {onDone: () => void}) {
  const studio = useStudio();
  const {app, ui} = studio;
  const [renaming, setRenaming] = useState(0);
  const [deleting, setDeleting] = useState(0);
  useEffect(() => app.worlds.watch(), [app]);
  useEffect(() => void app.storage.ask(), [app]);
  const list = app.worlds.list.value;
  const current = app.document.home.value;
  const rows = useRef<HTMLUListElement>(null);
  const known = app.worlds.known.value;
  // Keys begin at the world that is open; where the list has yet to come they wait for it.
  useLayoutEffect(() => {
    const menu = rows.current?.closest('.popover');
    if (known && menu?.contains(document.activeElement))
      menu.querySelector<HTMLElement>('[data-first]')?.focus({preventScroll: true});
  }, [known]);
  return (
    <>
      <ul ref={rows} aria-label="Worlds">
        {list.map((world) => {
          if (renaming === world.world) {
            return <Rename key={world.world} world={world} onDone={() => setRenaming(0)} />;
          }
          if (deleting === world.world) {
            return (
              <li key={world.world} class="world-row asks">
                <span class="grow">
                  Delete <b>{world.name}</b>
                  {app.inPage ? '?' : ' for everybody?'}
                </span>
                <Button
                  look="danger"
                  size="small"
                  onClick={async (event) => {
                    if (await said(app, app.worlds.remove(world.world), event.currentTarget)) setDeleting(0);
                  }}
                >
                  Delete
                </Button>
                <Button size="small" data-first="" onClick={() => setDeleting(0)}>
                  Keep
                </Button>
              </li>
            );
          }
          return (
            <li key={world.world} class={world.world === current ? 'world-row chosen' : 'world-row'}>
              <button
                type="button"
                class="menu-item"
                aria-current={world.world === current}
                data-first={world.world === current ? '' : undefined}
                onClick={() => {
                  void app.open(world.name);
                  onDone();
                }}
              >
                <span class={`dot ${world.state}`} title={world.state} />
                <span class="grow">{world.name}</span>
                <span class="faint numeric">{summary(world)}</span>
              </button>
              <IconButton
                icon="edit"
                name={`Rename ${world.name}`}
                size="small"
                look="muted"
                onClick={() => setRenaming(world.world)}
              />
              <IconButton
                icon="remove"
                name={`Delete ${world.name}`}
                size="small"
                look="muted"
                onClick={() => setDeleting(world.world)}
              />
            </li>
          );
        })}
      </ul>
      {list.length === 0 && app.worlds.known.value && (
        <p class="menu-foot faint">There are no worlds yet.</p>
      )}
      <div class="menu-line" />
      <button
        type="button"
        class="menu-item"
        onClick={() => {
          ui.dialog.value = 'world';
          onDone();
        }}
      >
        <Icon name="plus" />
        <span class="grow">New world…</span>
      </button>
      <button
        type="button"
        class="menu-item"
        onClick={() => {
          ui.dialog.value = 'samples';
          onDone();
        }}
      >
        <Icon name="world" />
        <span class="grow">Example worlds…</span>
      </button>
      <button
        type="button"
        class="menu-item"
        onClick={() => {
          onDone();
          chooseScene(studio);
        }}
      >
        <Icon name="upload" />
        <span class="grow">Open a scene…</span>
      </button>
      <Keeping />
    </>
  );
}

// Whether they are there again tomorrow.
function Keeping() {
  const {app} = useStudio();
  const kept = app.storage.kept.value;
  if (app.inPage) {
    return (
      <p class="menu-foot faint keeping">
        <Icon name="warning" />
        Worlds are in this page alone, and end with it. Save what you want to keep: a server opens it too.
      </p>
    );
  }
  if (!kept) return null;
  return (
    <p class="menu-foot faint keeping">
      <Icon name={kept.lasts ? 'check' : 'warning'} />
      {kept.lasts
        ? `Worlds and their past are stored on disk (${formatBytes(kept.bytes)}).`
        : 'Worlds are kept in memory only, and are lost when the server stops.'}
    </p>
  );
}

function summary(world: WorldSummary): string {
  const bodies = world.bodies === 1 ? '1 body' : `${world.bodies} bodies`;
  return world.people > 0 ? `${bodies} · ${world.people} here` : bodies;
}

function Rename({world, onDone}: {world: WorldSummary; onDone: () => void}) {
  const {app} = useStudio();
  const input = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<WeftError | null>(null);
  useEffect(() => input.current?.select(), []);
  return (
    <li>
      <form
        class="world-row asks"
        onSubmit={async (event) => {
          event.preventDefault();
          const name = input.current?.value ?? '';
          if (name === world.name) return onDone();
          const done = await app.worlds.rename(world.world, name);
          if (done.ok) onDone();
          else setError(done.error);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          onDone();
        }}
      >
        <input
          ref={input}
          class="input"
          aria-label={`New name of ${world.name}`}
          aria-invalid={error ? true : undefined}
          defaultValue={world.name}
        />
        <IconButton icon="check" name="Rename" type="submit" />
      </form>
      {error && (
        <p class="refused inset" role="alert">
          {errorWords(app, error)}
        </p>
      )}
    </li>
  );
}

const FIELDS = formFields('world.create').map(({name}) => name);

export function NewWorldDialog({onClose}: {onClose: () => void}) {
  const {app} = useStudio();
  const [draft] = useState(
    () =>
      new Draft({
        name: freeName(
          'world',
          app.worlds.list.peek().map((world) => world.name),
        ),
      }),
  );
  const [busy, setBusy] = useState(false);
  const [ground, setGround] = useState(true);
  const error = draft.refused.value;
  const make = async () => {
    setBusy(true);
    const {name} = draft.values.peek() as {name?: string};
    const made = await app.worlds.create({...draft.values.peek(), name} as Parameters<
      typeof app.worlds.create
    >[0]);
    setBusy(false);
    if (!made.ok) {
      draft.refused.value = made.error;
      return;
    }
    await app.open(made.result.name);
    onClose();
    if (ground) await said(app, app.commands.addCollider({kind: 'plane', name: 'ground', friction: 0.6}));
  };
  return (
    <Dialog
      title="New world"
      width={400}
      onClose={onClose}
      footer={
        <>
          <span class="grow refused" role="alert">
            {unsaid(error, FIELDS)}
          </span>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="world-form" look="primary" disabled={busy}>
            Make
          </Button>
        </>
      }
    >
      <form
        id="world-form"
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        <MethodForm method="world.create" binding={draft} only={['name']} />
        <Switch label="With a ground" doc="A plane at height 0." on={ground} onGive={setGround} />
        <MethodForm method="world.create" binding={draft} except={['name']} open={() => false} />
      </form>
    </Dialog>
  );
}
