// The page: the picture fills it, and these panels lie above.
//
//     world ▾  outline  settings   undo   status       people  + New  plots  view  …
//     ┌ outline ┐                 card                            ┌ inspector ┐
//     │         │                                                 │           │
//     └─────────┘                                                 └───────────┘
//                    selection · substeps · tool options
//                   tools │ reset play step rate clock │ timeline
//     ┌ timeline ───────────────────────────────────────────────────────────────┐
//     ┌ plots ──────────────────────────────────────────────────────────────────┐
//
// On a narrow page outline, inspector, plots and statistics are sheets, one at a time: between the bars and the tools, so
// that what is done with a thing and time stay in reach. On a low one they stand at the right.
import {useEffect} from 'preact/hooks';

import {IconButton} from './controls/button.js';
import {later} from './controls/later.js';
import {Tooltip} from './controls/tooltip.js';
import {useStudio, type Studio} from './context.js';
import {useClipboard} from './clip/keys.js';
import {ReadingNote} from './files/progress.js';
import {hasFiles, takeFiles} from './files/take.js';
import {endTour, useFirstTour} from './help/first.js';
import {heldByKeys} from './keys/hold.js';
import {useHands} from './keys/focus.js';
import {useKeyboard} from './keys/keyboard.js';
import {keyOf, refusePast} from './keys/verbs.js';
import {NoWorld} from './notices/connection.js';
import {Hint} from './notices/hint.js';
import {FollowFrame} from './session/following.js';
import {TokenDialog} from './session/tokendialog.js';
import {Toasts} from './notices/toasts.js';
import {Dock, HeldNote, ScrubBar, SelectionBar, ToolOptions} from './panels/dock.js';
import {FieldLegend} from './panels/fieldslate.js';
import {ContactLegend, Legend} from './panels/legend.js';
import {IsolatedNote} from './panels/look.js';
import {PaletteLater} from './palette/later.js';
import {isScene} from './scenes/scenes.js';
import {Captions} from './timeline/beside.js';
import {EmbeddedTop, Top} from './panels/top.js';
import {NewWorldDialog} from './panels/worlds.js';
import {StatusChip} from './status/chip.js';

// Parts that are fetched when they are first needed.
const Outline = later(async () => (await import('./panels/outline.js')).Outline);
const Inspector = later(async () => (await import('./panels/inspector/inspector.js')).Inspector);
const Timeline = later(async () => (await import('./timeline/timeline.js')).Timeline);
const Plots = later(async () => (await import('./panels/plots.js')).Plots);
const Statistics = later(async () => (await import('./panels/statistics.js')).Statistics);
const Measures = later(async () => (await import('./panels/measures.js')).MeasuresPanel);
const HandleNumber = later(async () => (await import('./panels/handlenumber.js')).HandleNumberBox);
const Tour = later(async () => (await import('./help/tour.js')).default);
const Gallery = later(async () => (await import('./gallery/dialog.js')).Gallery);
const ImportDialog = later(async () => (await import('./files/dialog.js')).ImportDialog);
const KeySheet = later(async () => (await import('./keys/sheet.js')).KeySheet);
const InviteDialog = later(async () => (await import('./session/invite.js')).InviteDialog);
const SamplesDialog = later(async () => (await import('./scenes/samples.js')).SamplesDialog);
const ExportDialog = later(async () => (await import('./record/dialog.js')).default);
const ConnectDialog = later(async () => (await import('./connect/dialog.js')).default);
const HelpDialog = later(async () => (await import('./help/dialog.js')).default);
const LinkDialog = later(async () => (await import('./panels/link.js')).LinkDialog);
const BranchDialog = later(async () => (await import('./timeline/branch.js')).BranchDialog);

export function StudioPage() {
  return useStudio().ui.embedded === 'no' ? <WholePage /> : <EmbeddedPage />;
}

// A world in another page, to pull at: what is said of it is said there.
function EmbeddedPage() {
  const studio = useStudio();
  useKeyboard(studio);
  useHands(studio.app);
  return (
    <div class="studio embedded">
      <EmbeddedTop />
      <div class="middle">
        <StatusChip serious />
        <NoWorld />
        <ReadingNote />
      </div>
      {isThere(studio.app) && (
        <section class="bottom" aria-label="Time">
          <div class="bars">
            <Hint />
            {heldByKeys.value && <HeldNote text="Grabbed: arrows and Page keys pull it, Enter releases it." />}
            <ScrubBar />
            {studio.ui.embedded === 'edit' && <SelectionBar />}
            {studio.ui.embedded === 'edit' && <ToolOptions />}
          </div>
          <Dock />
        </section>
      )}
      <Toasts />
      <Tooltip />
    </div>
  );
}

function WholePage() {
  const studio = useStudio();
  const {app, ui} = studio;
  useKeyboard(studio);
  useClipboard(studio);
  useDrop();
  useHands(app);
  useFirstTour(studio);
  const there = isThere(app);
  const hidden = ui.hidden.value;
  const {tool, measures} = app.viewState;
  const timeline = there && !hidden && ui.timeline.value && app.past.offered.value && (
    <Timeline onClose={() => (ui.timeline.value = false)} />
  );
  return (
    <div class={`studio${hidden ? ' hidden' : ''}${app.document.looking.value ? ' looks-on' : ''}`}>
      {hidden ? <ShowPanels /> : <Top />}
      <div class="middle">
        <Captions />
        {(hidden || ui.narrow.value) && <StatusChip serious={hidden} />}
        <NoWorld />
        <ReadingNote />
      </div>
      {there && !hidden && <SidePanels />}
      {there && (
        <section class="bottom" aria-label="Tools and time">
          <div class="bars">
            {!hidden && <Legend />}
            {!hidden && hasFields(app) && <FieldLegend />}
            {!hidden && <ContactLegend />}
            {!hidden && <Hint />}
            {!hidden && <IsolatedNote />}
            {!hidden && app.viewState.handleNumber.value && <HandleNumber />}
            {heldByKeys.value && <HeldNote text="Grabbed: arrows and Page keys pull it, Enter releases it." />}
            <ScrubBar />
            {!hidden && tool.value !== 'measure' && <SelectionBar />}
            {!hidden && (tool.value === 'measure' || measures.value.length > 0) && <Measures />}
            {!hidden && <ToolOptions />}
            {ui.narrow.value && timeline}
          </div>
          {!hidden && <Dock />}
        </section>
      )}
      {there && !hidden && !ui.narrow.value && (ui.plots.value || timeline) && (
        <div class="below">
          {timeline}
          {ui.plots.value && <Plots onClose={() => (ui.plots.value = false)} />}
        </div>
      )}
      {!hidden && !ui.narrow.value && ui.statistics.value && (
        <Statistics onClose={() => (ui.statistics.value = false)} />
      )}
      <FollowFrame />
      <Dialogs />
      {ui.tour.value && <Tour onClose={() => endTour(studio)} />}
      <TokenDialog />
      <Toasts />
      <Tooltip />
      {ui.dropping.value && (
        <div class="drop-veil" role="status">
          Drop it: a mesh comes into this world, a scene opens as its own
        </div>
      )}
    </div>
  );
}

// Whether the picture has colours or arrows that a legend explains.
function hasFields({viewState}: Studio['app']): boolean {
  return viewState.shownField.value !== null || viewState.shownArrows.value !== null;
}

// What stays of the panels while they are hidden, for those without a keyboard.
function ShowPanels() {
  const {ui} = useStudio();
  return (
    <header class="show-panels">
      <IconButton
        icon="eye"
        name="Show the panels"
        hotkey={keyOf('hide')}
        class="panel"
        onClick={() => (ui.hidden.value = false)}
      />
    </header>
  );
}

// Whether a world is shown. One that a restarted server does not have (yet) still is, with what was being typed.
function isThere({document}: Studio['app']): boolean {
  const phase = document.phase.value;
  return document.world.value !== 0 && phase !== 'deleted' && phase !== 'none';
}

function SidePanels() {
  const {app, ui} = useStudio();
  if (ui.narrow.value) {
    const close = () => (ui.sheet.value = null);
    switch (ui.sheet.value) {
      case 'outline':
        return <Outline onClose={close} />;
      case 'inspector':
        return <Inspector onClose={close} />;
      case 'plots':
        return <Plots onClose={close} />;
      case 'statistics':
        return <Statistics onClose={close} />;
      default:
        return null;
    }
  }
  const leave = () => {
    app.selection.clear();
    ui.settings.value = false;
  };
  return (
    <>
      {ui.outline.value && <Outline onClose={() => (ui.outline.value = false)} />}
      {(!app.selection.empty.value || ui.settings.value) && <Inspector onClose={leave} />}
    </>
  );
}

function Dialogs() {
  const {ui} = useStudio();
  const close = () => {
    ui.dialog.value = null;
    ui.mesh.value = null;
    ui.branch.value = null;
    ui.piece.value = null;
  };
  const mesh = ui.mesh.value;
  const branch = ui.branch.value;
  switch (ui.dialog.value) {
    case 'new':
      return <Gallery onClose={close} />;
    case 'import':
      return mesh && <ImportDialog mesh={mesh} onClose={close} />;
    case 'keys':
      return <KeySheet onClose={close} />;
    case 'world':
      return <NewWorldDialog onClose={close} />;
    case 'invite':
      return <InviteDialog onClose={close} />;
    case 'palette':
      return <PaletteLater onClose={close} />;
    case 'samples':
      return <SamplesDialog onClose={close} />;
    case 'export':
      return <ExportDialog onClose={close} />;
    case 'connect':
      return <ConnectDialog onClose={close} />;
    case 'help':
      return <HelpDialog onClose={close} />;
    case 'link':
      return <LinkDialog onClose={close} />;
    case 'branch':
      return branch && <BranchDialog asked={branch} onClose={close} />;
    default:
      return null;
  }
}

// Files may be dropped anywhere on the page.
function useDrop(): void {
  const studio = useStudio();
  const {app, ui} = studio;
  useEffect(() => {
    let inside = 0;
    const enter = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      inside += 1;
      ui.dropping.value = app.session.state.peek() === 'open';
    };
    const leave = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      inside = Math.max(0, inside - 1);
      if (inside === 0) ui.dropping.value = false;
    };
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
    };
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      inside = 0;
      ui.dropping.value = false;
      const files = [...(event.dataTransfer?.files ?? [])];
      // A scene needs no world to come to.
      const takes = app.document.phase.peek() === 'joined' && app.document.readOnly.peek() === '';
      if (app.document.phase.peek() === 'joined' && !takes && !files.some(isScene)) refusePast(app);
      if (takes || files.some(isScene)) takeFiles(studio, files);
    };
    const listeners = {dragenter: enter, dragleave: leave, dragover: over, drop};
    for (const [name, listener] of Object.entries(listeners))
      addEventListener(name, listener as EventListener);
    return () => {
      for (const [name, listener] of Object.entries(listeners))
        removeEventListener(name, listener as EventListener);
    };
  }, [studio]);
}
