// What the buttons at the top right open: people, what is shown, and the rest.
import {useEffect, useRef, useState} from 'preact/hooks';

import type {ConstraintLook, ThemeChoice} from '../../model/viewstate.js';
import type {App, Person, Presence} from '../../model/index.js';
import {Button, IconButton} from '../controls/button.js';
import {Icon} from '../controls/icons.js';
import {Popover} from '../controls/popover.js';
import {useStudio} from '../context.js';
import {Segments, Switch, TextField} from '../forms/choice.js';
import {NumberField} from '../forms/number.js';
import {scaleOf} from '../forms/scale.js';
import {prettyName} from '../forms/units.js';
import {LIMITS, METHODS, type WeftError} from '../../../lib/index.js';
import {captureTick, copyLink, keyOf, run, savePicture, showSettings} from '../keys/verbs.js';
import {FieldMenu} from './fieldslate.js';
import {kindsThere} from './legend.js';
import {hiddenCount, lockedCount, showAll, unlockAll} from './look.js';
import {PictureChoices} from './picture.js';
import {SimulatedChoice} from './simulated.js';
import {bodyName, personColor, personName, withinBytes} from '../names.js';
import {chooseScene, saveScene} from '../scenes/scenes.js';
import {ownName} from '../session/name.js';

export function PeopleButton() {
  const {app, ui} = useStudio();
  const anchor = useRef<HTMLButtonElement>(null);
  const people = app.document.people.value;
  const me = app.session.id.value;
  const open = ui.menu.value === 'people';
  useEffect(() => {
    const timer = setInterval(() => void app.document.refreshPeople().catch(() => undefined), PEOPLE_MS);
    return () => clearInterval(timer);
  }, [app]);
  const others = people.filter((person) => person.session !== me);
  const grabs = [...app.document.grabs.value.values()];
  const roles = new Map(app.access.list.value?.people.map(({user, role}) => [user, role]));
  const faces = others.slice(0, FACES);
  return (
    <>
      {!ui.narrow.value && faces.map((person) => <FollowButton key={person.session} person={person} />)}
      <button
        ref={anchor}
        type="button"
        class="button people"
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-label={people.length === 1 ? '1 person here' : `${people.length} people here`}
        data-tip="People here"
        onClick={() => (ui.menu.value = open ? null : 'people')}
      >
        {ui.narrow.value &&
          faces.map((person) => <Face key={person.session} name={person.user} session={person.session} />)}
        {app.people.unread.value > 0 && !open && (
          <span class="unread" aria-label={`${app.people.unread.value} new lines`}>
            {app.people.unread.value}
          </span>
        )}
        {others.length > FACES && <span class="face more">+{others.length - FACES}</span>}
        <Face name={ownName.value} session={me} />
      </button>
      {open && (
        <Popover
          anchor={anchor.current}
          name="People"
          align="end"
          class="people-menu"
          onClose={() => (ui.menu.value = null)}
        >
          <TextField
            name="Your name"
            doc="The name that others see."
            value={ownName.value}
            placeholder="Someone"
            onGive={(name) => (ownName.value = name)}
          />
          <ul>
            {people.map((person) => {
              const held = grabs.filter((grab) => grab.session === person.session).length;
              const there = app.people.others.value.get(person.session);
              const followed = app.people.following.value === person.session;
              return (
                <li key={person.session} class="person">
                  <Face name={person.user} session={person.session} />
                  <span class="grow">
                    {personName(person)}
                    {person.session === me && <span class="faint"> (you)</span>}
                    {roles.has(person.user) && <span class="faint">, {roles.get(person.user)}</span>}
                  </span>
                  <span class="faint">
                    {there?.away ? 'away' : held > 0 ? 'drags' : there?.bodies.size ? selectedBy(app, there) : person.client}
                  </span>
                  {there?.camera && (
                    <Button
                      size="small"
                      look={followed ? 'primary' : 'outlined'}
                      aria-pressed={followed}
                      aria-label={`Follow ${personName(person)}`}
                      onClick={() => app.people.follow(person.session)}
                    >
                      Follow
                    </Button>
                  )}
                </li>
              );
            })}
          </ul>
          {app.access.tokens.value && app.access.role.value === 'owner' && app.document.phase.value === 'joined' && (
            <Item
              icon="plus"
              name="Roles and invitations…"
              onClick={() => {
                ui.menu.value = null;
                ui.dialog.value = 'invite';
              }}
            />
          )}
          <Chat />
        </Popover>
      )}
    </>
  );
}

const FACES = 3;

// Somebody else, whose camera this page's follows while it is pressed.
function FollowButton({person}: {person: Person}) {
  const {people} = useStudio().app;
  const followed = people.following.value === person.session;
  const there = people.others.value.get(person.session);
  const name = personName(person);
  return (
    <button
      type="button"
      class={`button face-button curve-${personColor(person.session) + 1}`}
      aria-pressed={followed}
      aria-label={`Follow ${name}`}
      data-tip={followed ? `You see what ${name} sees` : `See what ${name} sees`}
      disabled={!there?.camera}
      onClick={() => people.follow(person.session)}
    >
      <Face name={person.user} session={person.session} />
    </button>
  );
}

// What somebody has selected, in a word or two.
function selectedBy(app: App, there: Presence): string {
  const bodies = [...there.bodies].flatMap((id) => app.document.bodies.value.get(id) ?? []);
  return bodies.length === 1 ? `at ${bodyName(bodies[0]!)}` : `at ${bodies.length} bodies`;
}

function Chat() {
  const {app} = useStudio();
  const [text, setText] = useState('');
  const lines = useRef<HTMLOListElement>(null);
  const said = app.people.said.value;
  useEffect(() => {
    app.people.read();
    lines.current?.scrollTo(0, lines.current.scrollHeight);
  }, [said, app]);
  const send = async (event: Event) => {
    event.preventDefault();
    const line = text.trim();
    if (line === '') return;
    try {
      await app.people.say(withinBytes(line, LIMITS.said_bytes.value));
      setText('');
    } catch (error) {
      app.notices.error(error as WeftError);
    }
  };
  return (
    <form class="chat" onSubmit={(event) => void send(event)}>
      <ol ref={lines} aria-label="Messages" aria-live="polite" tabIndex={0}>
        {said.map((one) => (
          <li key={one.line}>
            <b>{one.name}</b> {one.text}
          </li>
        ))}
      </ol>
      <div class="chat-line">
        <input
          type="text"
          class="input"
          aria-label="Write a message"
          placeholder="Write a message"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <Button size="small" look="outlined" type="submit">
          Send
        </Button>
      </div>
    </form>
  );
}

const PEOPLE_MS = 4000;

export function Face({name, session}: {name: string; session: number}) {
  const letters = name
    .split(/\s+/)
    .map((word) => [...word][0] ?? '')
    .slice(0, 2)
    .join('')
    .toUpperCase();
  return (
    <span class={`face curve-${personColor(session) + 1}`} data-letters={letters} aria-hidden="true">
      {!letters && <Icon name="person" />}
    </span>
  );
}

export function ViewButton() {
  const {app, ui} = useStudio();
  const anchor = useRef<HTMLSpanElement>(null);
  const open = ui.menu.value === 'view';
  const {overlays, savedViews} = app.viewState;
  const [name, setName] = useState('');
  const kinds = overlays.kinds.value;
  const drawn = overlays.constraints.value;
  const skinned = [...app.document.bodies.value.values()].some((body) => body.topology?.skin);
  const keep = () => {
    const wanted = name.trim() || `View ${savedViews.peek().length + 1}`;
    app.view?.saveView(wanted);
    setName('');
  };
  return (
    <span ref={anchor}>
      <IconButton
        icon="eye"
        name="View options"
        hotkey={keyOf('view')}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => (ui.menu.value = open ? null : 'view')}
      />
      {open && (
        <Popover
          anchor={anchor.current}
          name="View options"
          align="end"
          class="view-menu"
          onClose={() => (ui.menu.value = null)}
        >
          <Switch
            label="Surfaces"
            on={overlays.filled.value}
            onGive={(on) => (overlays.filled.value = on)}
          />
          <Switch
            label="Wireframe"
            on={overlays.wireframe.value}
            onGive={(on) => (overlays.wireframe.value = on)}
          />
          {skinned && (
            <Switch
              label="Lattice inside skins"
              on={overlays.lattice.value}
              onGive={(on) => (overlays.lattice.value = on)}
            />
          )}
          <Switch label="Pins" on={overlays.pins.value} onGive={(on) => (overlays.pins.value = on)} />
          <Switch
            label="Velocities"
            on={overlays.velocities.value}
            onGive={(on) => (overlays.velocities.value = on)}
          />
          <Switch
            label="Grabs and their force"
            on={overlays.grabs.value}
            onGive={(on) => (overlays.grabs.value = on)}
          />
          <Switch
            label="Contact between bodies"
            doc="Particles in contact, particles slowed down so that nothing crosses, and in red the edges that cross."
            on={overlays.contacts.value}
            onGive={(on) => (overlays.contacts.value = on)}
          />
          <Switch label="Wind" on={overlays.wind.value} onGive={(on) => (overlays.wind.value = on)} />
          <Switch
            label="Shadows"
            on={overlays.shadows.value}
            onGive={(on) => (overlays.shadows.value = on)}
          />
          <Switch
            label="Grid if there is no ground"
            on={overlays.grid.value}
            onGive={(on) => (overlays.grid.value = on)}
          />
          <Switch label="Axes" on={overlays.axes.value} onGive={(on) => (overlays.axes.value = on)} />
          <FieldMenu />
          {hiddenCount(app) > 0 && (
            <button type="button" class="menu-item" onClick={() => showAll(app)}>
              <Icon name="eye" />
              <span class="grow">Show what is hidden here ({hiddenCount(app)})</span>
            </button>
          )}
          {lockedCount(app) > 0 && (
            <button type="button" class="menu-item" onClick={() => unlockAll(app)}>
              <Icon name="unlocked" />
              <span class="grow">Unlock what is locked here ({lockedCount(app)})</span>
            </button>
          )}
          <PictureChoices />
          {!app.inPage && (
            <>
              <div class="menu-heading">Motion</div>
              <div class="inset">
                <SimulatedChoice />
              </div>
            </>
          )}
          <div class="menu-heading">Constraints</div>
          <div class="inset">
            <Segments
              label="Constraints"
              values={['off', 'kind', 'strain', 'excess', 'bend']}
              names={{off: 'Off', kind: 'By kind', strain: 'By strain', excess: 'Above limit', bend: 'Unresolved bend'}}
              value={drawn}
              onGive={(value) => (overlays.constraints.value = value as ConstraintLook)}
            />
            {(drawn === 'strain' || drawn === 'excess') && (
              <Switch
                label="Fill the triangles"
                doc="Each triangle shows the mean strain of the edges at its corners."
                on={overlays.strained.value}
                onGive={(on) => (overlays.strained.value = on)}
              />
            )}
            {drawn !== 'off' && drawn !== 'bend' && (
              <div class="chips" role="group" aria-label="Kinds of constraints">
                {kindsThere(app).map((kind) => (
                  <button
                    key={kind}
                    type="button"
                    class="chip"
                    aria-pressed={kinds.has(kind)}
                    onClick={() => {
                      const next = new Set(kinds);
                      if (!next.delete(kind)) next.add(kind);
                      overlays.kinds.value = next;
                    }}
                  >
                    {prettyName(kind)}
                  </button>
                ))}
              </div>
            )}
          </div>
          <div class="menu-line" />
          <div class="menu-heading">Camera</div>
          <div class="chips axes" role="group" aria-label="Look along an axis">
            {(['front', 'side', 'top'] as const).map((side) => (
              <button key={side} type="button" class="chip" onClick={() => app.view?.lookAlong(side)}>
                {prettyName(side)}
              </button>
            ))}
          </div>
          <Switch
            label="Orthographic"
            on={app.viewState.orthographic.value}
            onGive={(on) => (app.viewState.orthographic.value = on)}
          />
          <button type="button" class="menu-item" onClick={() => app.view?.focus('all')}>
            <Icon name="focus" />
            <span class="grow">Everything into view</span>
            <kbd>{keyOf('all')}</kbd>
          </button>
          {savedViews.value.map((view) => (
            <div key={view.name} class="menu-row">
              <button type="button" class="menu-item" onClick={() => app.view?.goTo(view.pose)}>
                <Icon name="camera" />
                <span class="grow">{view.name}</span>
              </button>
              <IconButton
                icon="close"
                name={`Forget ${view.name}`}
                size="small"
                look="muted"
                onClick={() => app.view?.removeView(view.name)}
              />
            </div>
          ))}
          <form
            class="menu-row inset"
            onSubmit={(event) => {
              event.preventDefault();
              keep();
            }}
          >
            <input
              class="input"
              aria-label="Name of the view"
              placeholder="Name this view"
              value={name}
              onInput={(event) => setName(event.currentTarget.value)}
            />
            <IconButton icon="plus" name="Keep this view" type="submit" />
          </form>
          <div class="menu-line" />
          <Item icon="download" name="Save a picture" hotkey={keyOf('picture')} onClick={() => void savePicture(app)} />
        </Popover>
      )}
    </span>
  );
}

export function MoreButton() {
  const studio = useStudio();
  const {app, ui} = studio;
  const anchor = useRef<HTMLSpanElement>(null);
  const open = ui.menu.value === 'more';
  const {themeChoice, grabCompliance} = app.viewState;
  const pull = METHODS['grab.begin'].params.find((field) => field.name === 'compliance');
  const then = (act: () => void) => () => {
    ui.menu.value = null;
    act();
  };
  const narrow = ui.narrow.value;
  const joined = app.document.phase.value === 'joined';
  return (
    <span ref={anchor}>
      <IconButton
        icon="more"
        name="More"
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => (ui.menu.value = open ? null : 'more')}
      />
      {open && (
        <Popover
          anchor={anchor.current}
          name="More"
          align="end"
          class="more-menu"
          onClose={() => (ui.menu.value = null)}
        >
          {narrow && <Item icon="outline" name="Outline" onClick={then(() => ui.toggle('outline'))} />}
          {narrow && <Item icon="sliders" name="World settings" onClick={then(() => showSettings(studio))} />}
          {narrow && <Item icon="chart" name="Plots" onClick={then(() => ui.toggle('plots'))} />}
          {narrow && app.past.offered.value && (
            <Item
              icon="history"
              name={ui.timeline.value ? 'Hide the timeline' : 'Timeline'}
              onClick={then(() => (ui.timeline.value = !ui.timeline.peek()))}
            />
          )}
          {narrow && app.access.controls.value && (
            <Item icon="substeps" name="Show the substeps of a tick" onClick={then(() => void captureTick(app))} />
          )}
          {narrow && <div class="menu-line" />}
          <Item
            icon="list"
            name="Find a command…"
            hotkey={keyOf('palette')}
            onClick={then(() => run(studio, 'palette'))}
          />
          {joined && <Item icon="copy" name="Copy" hotkey={keyOf('copy')} onClick={then(() => run(studio, 'copy'))} />}
          {joined && <Item icon="cut" name="Cut" hotkey={keyOf('cut')} onClick={then(() => run(studio, 'cut'))} />}
          {joined && <Item icon="plus" name="Paste" hotkey={keyOf('paste')} onClick={then(() => run(studio, 'paste'))} />}
          {joined && (
            <Item icon="select" name="Select everything" hotkey={keyOf('select-all')} onClick={then(() => run(studio, 'select-all'))} />
          )}
          <div class="menu-line" />
          <Item
            icon="download"
            name="Save as a scene"
            hotkey={keyOf('save')}
            onClick={then(() => void saveScene(studio))}
          />
          {app.document.phase.value === 'joined' && (
            <Item
              icon="camera"
              name="Export…"
              hotkey={keyOf('export')}
              onClick={then(() => (ui.dialog.value = 'export'))}
            />
          )}
          <Item
            icon="upload"
            name="Open a scene…"
            hotkey={keyOf('open')}
            onClick={then(() => chooseScene(studio))}
          />
          <div class="menu-line" />
          <Item
            icon="link"
            name="Copy a link"
            hotkey={keyOf('link')}
            onClick={then(() => void copyLink(studio))}
          />
          {!app.inPage && app.document.phase.value === 'joined' && (
            <Item icon="connect" name="Connect from a program…" onClick={then(() => (ui.dialog.value = 'connect'))} />
          )}
          <Item
            icon="gauge"
            name={ui.shows('statistics') ? 'Hide statistics' : 'Statistics'}
            hotkey={keyOf('statistics')}
            onClick={then(() => ui.toggle('statistics'))}
          />
          <Item icon="help" name="Help" hotkey={keyOf('help')} onClick={then(() => (ui.dialog.value = 'help'))} />
          <Item
            icon="keyboard"
            name="Keys"
            hotkey={keyOf('keys')}
            onClick={then(() => (ui.dialog.value = 'keys'))}
          />
          <Item
            icon="eye"
            name="Hide the panels"
            hotkey={keyOf('hide')}
            onClick={then(() => (ui.hidden.value = true))}
          />
          {!app.document.looking.value && <div class="menu-line" />}
          <div class="inset">
            {pull && !app.document.looking.value && (
              <NumberField
                name="Drag yields"
                doc={pull.doc}
                unit={pull.unit}
                value={grabCompliance.value}
                scale={scaleOf(pull, 'distance')}
                onGive={(value) => (grabCompliance.value = value)}
              />
            )}
          </div>
          <div class="menu-line" />
          <div class="inset">
            <Segments
              label="Theme"
              values={['system', 'light', 'dark']}
              value={themeChoice.value}
              onGive={(value) => (themeChoice.value = value as ThemeChoice)}
            />
          </div>
          <p class="menu-foot faint">{app.session.server.value}</p>
        </Popover>
      )}
    </span>
  );
}

function Item(props: {
  icon: Parameters<typeof Icon>[0]['name'];
  name: string;
  hotkey?: string;
  onClick: () => void;
}) {
  return (
    <button type="button" class="menu-item" onClick={props.onClick}>
      <Icon name={props.icon} />
      <span class="grow">{props.name}</span>
      {props.hotkey && <kbd>{props.hotkey}</kbd>}
    </button>
  );
}
