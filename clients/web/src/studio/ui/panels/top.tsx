// The top of the page: the world at the left; people and what can be opened at the right.
import {IconButton, Button} from '../controls/button.js';
import {Toolbar} from '../controls/roving.js';
import {useStudio, whyFixed} from '../context.js';
import {keyOf, showSettings} from '../keys/verbs.js';
import {MoreButton, PeopleButton, ViewButton} from './menus.js';
import {UndoButtons} from './undobuttons.js';
import {StatusChip} from '../status/chip.js';
import {WorldButton} from './worlds.js';

export function Top() {
  const studio = useStudio();
  const {app, ui} = studio;
  const narrow = ui.narrow.value;
  const joined = app.document.phase.value === 'joined';
  return (
    <header class="top">
      <h1 class="unseen">{app.document.name.value || 'weft'}</h1>
      <Toolbar class="panel bar" label="World">
        <WorldButton />
        {!narrow && joined && (
          <>
            <span class="divider" />
            <IconButton
              icon="outline"
              name="Outline"
              hotkey={keyOf('outline')}
              aria-pressed={ui.outline.value}
              onClick={() => ui.toggle('outline')}
            />
            <IconButton
              icon="sliders"
              name="World settings"
              hotkey={keyOf('inspector')}
              aria-pressed={ui.settings.value && app.selection.empty.value}
              onClick={() => showSettings(studio)}
            />
          </>
        )}
      </Toolbar>
      {!narrow && joined && !app.document.looking.value && <UndoBar />}
      {!narrow && <StatusChip />}
      {/* Roles belong beside people. */}
      <span class="grow" />
      <Toolbar class="panel bar" label="Page">
        {joined && !narrow && !app.inPage && <PeopleButton />}
        {joined && !app.document.looking.value && (
          <Button
            icon="plus"
            class="new"
            data-tip={whyFixed(app) || 'New body or collider'}
            disabled={app.document.readOnly.value !== ''}
            data-key={keyOf('new')}
            onClick={() => (ui.dialog.value = 'new')}
          >
            New
          </Button>
        )}
        {!narrow && joined && (
          <IconButton
            icon="chart"
            name="Plots"
            hotkey={keyOf('plots')}
            aria-pressed={ui.plots.value}
            onClick={() => ui.toggle('plots')}
          />
        )}
        {joined && <ViewButton />}
        {narrow && joined && !app.inPage && <PeopleButton />}
        <MoreButton />
      </Toolbar>
    </header>
  );
}

function UndoBar() {
  return (
    <Toolbar class="panel bar" label="Undo and redo">
      <UndoButtons />
    </Toolbar>
  );
}

// The bar of a studio that another page embeds: it has undo, and a link to the whole studio.
export function EmbeddedTop() {
  const {app, ui} = useStudio();
  const name = app.document.name.value;
  const joined = app.document.phase.value === 'joined';
  return (
    <header class="top">
      <h1 class="unseen">{name || 'weft'}</h1>
      {joined && ui.embedded === 'edit' && <UndoBar />}
      <span class="grow" />
      {joined && (
        <a class="panel bar whole" href={`./#${new URLSearchParams({world: name})}`} target="_blank" rel="noopener">
          In the studio
        </a>
      )}
    </header>
  );
}
