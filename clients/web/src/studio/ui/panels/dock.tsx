// The bar at the bottom: what the pointer does, and the world's time.
import {useEffect, useRef} from 'preact/hooks';

import {handlesOf} from '../../model/forcefields.js';
import {HANDLE_MODES, type HandleMode, type Target, type Tool} from '../../model/viewstate.js';
import {Button, IconButton} from '../controls/button.js';
import {Icon, type IconName} from '../controls/icons.js';
import {Popover} from '../controls/popover.js';
import {Toolbar} from '../controls/roving.js';
import {said, useStudio} from '../context.js';
import {Segments} from '../forms/choice.js';
import {NumberField} from '../forms/number.js';
import {formatNumber} from '../forms/numbers.js';
import {captureTick, keyOf, run} from '../keys/verbs.js';
import {wordsFor} from '../names.js';
import {remove} from '../removal.js';
import {isSlow, reachedText} from '../status/status.js';
import {UndoButtons} from './undobuttons.js';
import {hide, isHidden, isLocked, isolate, lock} from './look.js';

export function Dock() {
  const {app, ui} = useStudio();
  const {embedded} = ui;
  if (embedded !== 'no') {
    return (
      <Toolbar class="dock panel" label={embedded === 'edit' ? 'Tools and time' : 'Time'}>
        {embedded === 'edit' && (
          <>
            <Tools />
            <span class="divider" />
          </>
        )}
        <Transport />
      </Toolbar>
    );
  }
  return (
    <Toolbar class="dock panel" label="Tools and time">
      <Tools />
      {ui.narrow.value && !app.document.looking.value && (
        <div class="cluster">
          <UndoButtons />
        </div>
      )}
      <span class="divider" />
      <Transport />
      <TimelineButton />
    </Toolbar>
  );
}

const TOOLS: readonly {readonly tool: Tool; readonly name: string; readonly icon: IconName}[] = [
  {tool: 'grab', name: 'Drag', icon: 'drag'},
  {tool: 'click', name: 'Select', icon: 'select'},
  {tool: 'box', name: 'Select by box', icon: 'box'},
  {tool: 'lasso', name: 'Select by lasso', icon: 'lasso'},
  {tool: 'measure', name: 'Measure', icon: 'ruler'},
];

function Tools() {
  const {app} = useStudio();
  const {viewState} = app;
  // Whoever looks on pulls at nothing: a click selects.
  const looks = app.document.looking.value;
  const chosen = looks && viewState.tool.value === 'grab' ? 'click' : viewState.tool.value;
  return (
    <div class="cluster" role="radiogroup" aria-label="Tool">
      {TOOLS.filter(({tool}) => !(looks && tool === 'grab')).map(({tool, name, icon}) => (
        <IconButton
          key={tool}
          icon={icon}
          name={name}
          hotkey={keyOf(`tool-${tool}`)}
          role="radio"
          aria-checked={chosen === tool}
          chosen={chosen === tool}
          onClick={() => (viewState.tool.value = tool)}
        />
      ))}
    </div>
  );
}

const TARGET_NAMES: Record<Target, string> = {
  body: 'Bodies',
  particle: 'Particles',
  constraint: 'Constraints',
};

// What the selecting tools take, and how softly a drag pulls: shown above the bar while such a tool is chosen.
export function ToolOptions() {
  const {app} = useStudio();
  const {tool, target} = app.viewState;
  if (tool.value === 'grab' || tool.value === 'measure') return null;
  return (
    <div class="tool-options panel">
      <Segments
        label="Selection"
        values={['body', 'particle', 'constraint']}
        names={TARGET_NAMES}
        value={target.value}
        onGive={(value) => (target.value = value as Target)}
      />
    </div>
  );
}

// On a narrow page it is in the menu at the top right.
function TimelineButton() {
  const {app, ui} = useStudio();
  if (!app.past.offered.value || ui.narrow.value) return null;
  return (
    <IconButton
      icon="history"
      name="Timeline"
      hotkey={keyOf('timeline')}
      aria-pressed={ui.timeline.value}
      onClick={() => (ui.timeline.value = !ui.timeline.peek())}
    />
  );
}

function Transport() {
  const {app} = useStudio();
  const {document, commands, scrubber} = app;
  const playing = document.playing.value;
  const off = document.phase.value !== 'joined' || document.viewOf.value !== 0;
  // Whoever may not has none of these, and sees what time does.
  if (!app.access.controls.value) {
    return (
      <div class="cluster">
        <span class="clock-state faint">{playing ? 'Plays' : document.run.value.state === 'failed' ? 'Failed' : 'Paused'}</span>
        <Clock />
      </div>
    );
  }
  const run = (event: {currentTarget: EventTarget}, act: () => Promise<unknown>) =>
    void said(app, act() as ReturnType<typeof commands.reset>, event.currentTarget as Element);
  return (
    <div class="cluster">
      <IconButton
        icon="reset"
        name="Reset to the start"
        hotkey={keyOf('reset')}
        disabled={off}
        onClick={(event) => run(event, () => commands.reset())}
      />
      <IconButton
        icon={playing ? 'pause' : 'play'}
        name={playing ? 'Pause' : 'Play'}
        hotkey={keyOf('play')}
        class="play"
        disabled={off}
        onClick={(event) => run(event, () => commands.toggle())}
      />
      <IconButton
        icon="step"
        name="Step one tick"
        hotkey={keyOf('step')}
        disabled={off}
        onClick={(event) => run(event, () => commands.step())}
      />
      <IconButton
        icon="substeps"
        name="Show the substeps of a tick"
        hotkey={keyOf('scrub-on')}
        class="wide-only"
        disabled={off || scrubber.busy.value}
        chosen={scrubber.count.value > 0}
        onClick={() => (scrubber.count.peek() > 0 ? scrubber.leave() : void captureTick(app))}
      />
      <RateButton disabled={off} />
      <Clock />
    </div>
  );
}

function Clock() {
  const {document} = useStudio().app;
  const tick = document.tick.value;
  const {tick_rate: rate} = document.settings.value;
  const seconds = rate > 0 ? tick / rate : 0;
  return (
    <span
      class="clock numeric"
      data-tip="Time of the world, and number of ticks"
      role="timer"
      aria-label="World time"
    >
      <span>{clockText(seconds)}</span>
      <span class="faint">{tick.toLocaleString('en-US')}</span>
    </span>
  );
}

export function clockText(seconds: number): string {
  const whole = Math.floor(seconds);
  const minutes = Math.floor(whole / 60);
  const rest = (seconds - 60 * minutes).toFixed(1).padStart(4, '0');
  return `${minutes}:${rest}`;
}

export function rateText(rate: number): string {
  return rate === 0 ? 'max' : `${formatNumber(rate)}×`;
}

const PRESETS = [0.1, 0.25, 0.5, 1, 2, 0];

function RateButton({disabled}: {disabled: boolean}) {
  const {app, ui} = useStudio();
  const button = useRef<HTMLSpanElement>(null);
  const rate = app.commands.rate.value;
  const open = ui.menu.value === 'rate';
  const actual = app.session.rate.value;
  const slow = isSlow(rate, actual);
  const fast = rate === 0 && actual !== null;
  const give = (next: number) => void said(app, app.commands.setRate(next), button.current);
  return (
    <span ref={button}>
      <Button
        class="rate numeric"
        disabled={disabled}
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-label={slow ? `Rate ${reachedText(actual)} of ${rateText(rate)}` : `Rate ${rateText(rate)}`}
        data-tip={slow ? 'The world runs slower than its rate' : "Speed of the world's time"}
        data-key="− +"
        onClick={() => (ui.menu.value = open ? null : 'rate')}
      >
        {slow || fast ? (
          <span class="rate-words">
            <span class={slow ? 'slow' : undefined}>{reachedText(actual)}</span>
            <span class="faint">{slow ? `of ${rateText(rate)}` : rateText(rate)}</span>
          </span>
        ) : (
          rateText(rate)
        )}
      </Button>
      {open && (
        <Popover
          anchor={button.current}
          name="Rate"
          align="center"
          class="rate-menu"
          onClose={() => (ui.menu.value = null)}
        >
          <Segments
            label="Rate"
            values={PRESETS.map(String)}
            names={Object.fromEntries(PRESETS.map((one) => [String(one), rateText(one)]))}
            value={String(rate)}
            onGive={(value) => give(Number(value))}
          />
          <NumberField
            name="Times real time"
            doc="Multiple of real time. 0 is as fast as possible."
            value={rate}
            scale={{kind: 'linear', from: 0, to: 4, zero: true, integer: false}}
            onGive={give}
          />
        </Popover>
      )}
    </span>
  );
}

// The substeps of the tick that is looked into, above the bar.
export function ScrubBar() {
  const {scrubber} = useStudio().app;
  const slider = useRef<HTMLInputElement>(null);
  const count = scrubber.count.value;
  useEffect(() =>
    slider.current?.style.setProperty(
      '--filled',
      `${(100 * scrubber.index.value) / Math.max(1, count - 1)}%`,
    ),
  );
  if (count === 0) return null;
  const frame = scrubber.shown.value;
  // As many as there were; the world may have other settings by now.
  const substeps = count - 1;
  const words = frame ? `Tick ${frame.tick}, substep ${frame.substep} of ${substeps}` : '';
  return (
    <div class="scrub-bar panel" role="group" aria-label="Substeps of a tick">
      <IconButton
        icon="left"
        name="Previous substep"
        hotkey={keyOf('scrub-back')}
        size="small"
        onClick={() => scrubber.show(scrubber.index.peek() - 1)}
      />
      <input
        ref={slider}
        class="slider"
        type="range"
        min={0}
        max={count - 1}
        step={1}
        value={scrubber.index.value}
        aria-label="Substep"
        aria-valuetext={words}
        onInput={(event) => scrubber.show(Number(event.currentTarget.value))}
      />
      <IconButton
        icon="right"
        name="Next substep"
        hotkey={keyOf('scrub-on')}
        size="small"
        onClick={() => scrubber.show(scrubber.index.peek() + 1)}
      />
      <span class="numeric scrub-words">
        {frame?.tick.toLocaleString('en-US')}
        <span class="faint">
          {' '}
          + {frame?.substep}/{substeps}
        </span>
        {scrubber.edited.value && (
          <span class="faint" data-tip="The world was edited since; this is the tick before that">
            {' '}
            before the edit
          </span>
        )}
      </span>
      <IconButton
        icon="close"
        name="Back to the present"
        hotkey="Esc"
        size="small"
        look="muted"
        onClick={() => scrubber.leave()}
      />
    </div>
  );
}

// What can be done with what is selected, above the bar.
export function SelectionBar() {
  const studio = useStudio();
  const {app, ui} = studio;
  const {document, selection, commands, viewState} = app;
  const selected = selection.selected.value;
  const particles = selection.particleCount.value;
  const constraints = selected.constraints.size;
  const forces = selected.forces.size;
  const things = selected.bodies.size + selected.colliders.size;
  const fixed = document.readOnly.value !== '';
  if (selection.empty.value) return null;
  // Handles are those of a single collider. A ball looks the same however it is turned, and a plane has no size.
  const [only] = selected.colliders.size === 1 ? selected.colliders : [];
  const kind = only === undefined ? undefined : document.colliders.value.get(only)?.kind;
  const field = forces === 1 && things === 0 ? document.forces.value.get([...selected.forces][0] ?? 0) : undefined;
  const together = selected.colliders.size > 0 && things > 1;
  const modes = field
    ? handlesOf(field)
    : HANDLE_MODES.filter(
        (mode) => !(mode === 'turn' && kind === 'sphere' && !together) && !(mode === 'size' && (kind === 'plane' || together)),
      );
  const held = (kind !== undefined && !together) || field !== undefined || !['grab', 'measure'].includes(viewState.tool.value);
  const words = wordsFor({
    particles,
    constraints,
    bodies: selected.bodies.size,
    colliders: selected.colliders.size,
    forces,
    wind: selected.wind,
  });
  const act = (event: {currentTarget: EventTarget}, what: () => Promise<unknown>) =>
    void said(app, what() as ReturnType<typeof commands.pinSelected>, event.currentTarget as Element);
  return (
    <Toolbar class="selection-bar panel" label="Selection">
      <span class="selection-words" role="status">
        {words}
      </span>
      {particles > 0 && !document.looking.value && (
        <>
          <Button
            icon="pin"
            size="small"
            data-key={keyOf('pin')}
            disabled={fixed}
            onClick={(event) => act(event, () => commands.pinSelected(selected))}
          >
            Pin
          </Button>
          <Button
            icon="unpin"
            size="small"
            data-key={keyOf('unpin')}
            disabled={fixed}
            onClick={(event) => act(event, () => commands.unpinSelected(selected))}
          >
            Unpin
          </Button>
        </>
      )}
      {(things > 0 || field) && particles === 0 && !fixed && !isLocked(app, selected) && (
        <Segments
          label="Handle"
          values={modes}
          value={held ? (modes.includes(viewState.handle.value) ? viewState.handle.value : 'move') : ''}
          onGive={(value) => {
            viewState.handle.value = value as HandleMode;
            // Who drags pulls; bodies have handles while they are selected with another tool.
            if (!held) viewState.tool.value = 'click';
          }}
        />
      )}
      {things > 0 && particles === 0 && !fixed && !isLocked(app, selected) && held && (
        <IconButton
          icon="magnet"
          name="Snap to steps and other things"
          hotkey={keyOf('snap')}
          size="small"
          chosen={viewState.snapping.value}
          aria-pressed={viewState.snapping.value}
          onClick={() => (viewState.snapping.value = !viewState.snapping.peek())}
        />
      )}
      {ui.narrow.value && (
        <Button icon="sliders" size="small" onClick={() => (ui.sheet.value = 'inspector')}>
          {document.looking.value ? 'Details' : 'Edit'}
        </Button>
      )}
      <IconButton
        icon="focus"
        name="Bring into view"
        hotkey="F"
        size="small"
        onClick={() => app.view?.focus('selection')}
      />
      {things > 0 && (
        <>
          {!document.looking.value && (
            <IconButton
              icon="copy"
              name="Duplicate"
              hotkey={keyOf('duplicate')}
              size="small"
              disabled={fixed}
              onClick={() => run(studio, 'duplicate')}
            />
          )}
          <IconButton
            icon="eye"
            name={isHidden(app, selected) ? 'Show again' : 'Hide on this page'}
            hotkey={keyOf('hide-thing')}
            size="small"
            chosen={isHidden(app, selected)}
            onClick={() => hide(app, selected, !isHidden(app, selected))}
          />
          {!ui.narrow.value && (
            <>
              <IconButton
                icon={isLocked(app, selected) ? 'locked' : 'unlocked'}
                name={isLocked(app, selected) ? 'Unlock' : 'Lock on this page'}
                hotkey={keyOf('lock-thing')}
                size="small"
                chosen={isLocked(app, selected)}
                onClick={() => lock(app, selected, !isLocked(app, selected))}
              />
              <IconButton
                icon="isolate"
                name={viewState.apart.value ? 'Show everything' : 'Hide everything else'}
                hotkey={keyOf('isolate')}
                size="small"
                chosen={viewState.apart.value !== null}
                onClick={() => isolate(app, selected)}
              />
            </>
          )}
        </>
      )}
      {things + constraints + forces > 0 && !document.looking.value && (
        <IconButton
          icon="remove"
          name="Remove"
          hotkey={keyOf('remove')}
          size="small"
          look="danger"
          disabled={fixed}
          onClick={(event) => void remove(app, selected, event.currentTarget)}
        />
      )}
      <IconButton
        icon="close"
        name="Clear the selection"
        hotkey="Esc"
        size="small"
        look="muted"
        onClick={() => selection.clear()}
      />
    </Toolbar>
  );
}

export function HeldNote({text}: {text: string}) {
  return (
    <div class="held-note panel" role="status">
      <Icon name="drag" />
      <span>{text}</span>
    </div>
  );
}
