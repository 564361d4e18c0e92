// What stands between the person and a world that moves: no connection, no such world, a world that failed or is
// gone. Said in one place, with what can be done about it.
import type {ComponentChildren} from 'preact';
import {useState} from 'preact/hooks';

import {Button} from '../controls/button.js';
import {Icon, type IconName} from '../controls/icons.js';
import {said, useStudio, whyFixed} from '../context.js';
import {errorWords, plainWords} from '../errors.js';
import {startScene} from '../gallery/start.js';
import type {App} from '../../model/index.js';

export function Banner() {
  const {app} = useStudio();
  const {session, document, commands} = app;
  const state = session.state.value;
  const phase = document.phase.value;
  const run = document.run.value;

  if (state === 'lost' || state === 'closed') {
    const left = session.retryInMs.value;
    const words = state === 'closed' ? 'The connection is closed.' : 'The connection was lost.';
    const back = state === 'lost' && app.client.hello ? ' Reconnecting; you keep hold of what you grabbed.' : '';
    const next =
      left === null ? '' : left < 600 ? ' Trying now…' : ` Trying again in ${Math.ceil(left / 1000)} s.`;
    return (
      <Strip
        icon="unplugged"
        look="warning"
        act={
          <Button size="small" look="outlined" onClick={() => session.retry()}>
            Try now
          </Button>
        }
      >
        {words}
        {back}
        {next}
        {session.error.value && session.error.value.code !== 'LOST' && (
          <span class="faint"> {errorWords(app, session.error.value)}</span>
        )}
      </Strip>
    );
  }
  if (phase === 'joined' && run.state === 'failed') {
    return (
      <Strip
        icon="warning"
        look="danger"
        act={
          <Button
            size="small"
            look="outlined"
            onClick={(event) => void said(app, commands.reset(), event.currentTarget)}
          >
            Reset
          </Button>
        }
      >
        The world stopped. {plainWords(app, run.reason)}
      </Strip>
    );
  }
  const readOnly = document.readOnly.value;
  if (phase === 'joined' && app.past.shown.value) {
    return (
      <Strip
        icon="history"
        look="past"
        act={
          <Button size="small" look="outlined" data-key="Esc" onClick={() => void app.past.back()}>
            Back to now
          </Button>
        }
      >
        {whyFixed(app)}
      </Strip>
    );
  }
  if (phase === 'joined' && document.looking.value && document.viewOf.value === 0) {
    return (
      <Strip icon="eye" look="past" act={null}>
        {whyFixed(app)}
      </Strip>
    );
  }
  if (phase === 'joined' && readOnly !== '') {
    return (
      <Strip icon="warning" look="warning" act={null}>
        This world takes no edits now. {whyFixed(app)}
      </Strip>
    );
  }
  return null;
}

function Strip(props: {
  icon: IconName;
  look: 'warning' | 'danger' | 'past';
  act: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <div class={`strip ${props.look}`} role={props.look === 'past' ? 'status' : 'alert'}>
      <Icon name={props.icon} />
      <span class="grow">{props.children}</span>
      {props.act}
    </div>
  );
}

// Instead of a world: a card in the middle of the page.
export function NoWorld() {
  const {app, ui} = useStudio();
  const {document, session} = app;
  const [busy, setBusy] = useState(false);
  const phase = document.phase.value;
  const failure = app.viewState.failure.value;
  if (failure) {
    return (
      <Card title="No picture" icon="warning">
        <p>{failure}</p>
      </Card>
    );
  }
  if (session.state.value === 'connecting' && !app.client.hello) {
    return (
      <div class="waiting" role="status">
        Connecting…
      </div>
    );
  }
  if (session.state.value !== 'open') return null;
  const start = async () => {
    setBusy(true);
    await said(app, startScene(app));
    setBusy(false);
  };
  const worlds = (
    <Button look="outlined" onClick={() => (ui.menu.value = 'worlds')}>
      See the worlds
    </Button>
  );
  const make = (
    <Button look="primary" disabled={busy} onClick={() => void start()}>
      Create a world
    </Button>
  );
  if (phase === 'none') {
    return (
      <Card title="Nothing moves here yet" icon="cloth">
        <p>Create a world with a flag, a tablecloth and a ball, and pull at them.</p>
        <div class="button-row">{make}</div>
      </Card>
    );
  }
  if (phase === 'missing' || phase === 'deleted' || phase === 'refused') {
    const name = document.name.value;
    const words =
      phase === 'missing'
        ? 'It may come back: this page checks every second.'
        : phase === 'deleted'
          ? 'Someone deleted it.'
          : document.error.value
            ? errorWords(app, document.error.value)
            : '';
    return (
      <Card title={phase === 'deleted' ? `${name} is gone` : `No world “${name}”`} icon="world">
        <p>{words}</p>
        <div class="button-row">
          {worlds}
          {make}
        </div>
      </Card>
    );
  }
  if (phase === 'joined' && isBare(document) && document.readOnly.value === '' && ui.dialog.value === null) {
    return (
      <Card title="An empty world" icon="world">
        <p>Add a cloth, a rope or something soft; or drop a mesh or a scene on the page.</p>
        <div class="button-row">
          <Button look="primary" onClick={() => (ui.dialog.value = 'new')}>
            Add something
          </Button>
        </div>
      </Card>
    );
  }
  return null;
}

// Nothing in it but, perhaps, a ground.
function isBare({bodies, colliders}: App['document']): boolean {
  return bodies.value.size === 0 && [...colliders.value.values()].every(({kind}) => kind === 'plane');
}

function Card({title, icon, children}: {title: string; icon: IconName; children: ComponentChildren}) {
  return (
    <div class="card panel" role="status">
      <span class="card-icon">
        <Icon name={icon} />
      </span>
      <h2>{title}</h2>
      {children}
    </div>
  );
}
