// Says why there is no world to see, with what can be done about it. The chip (status/) says what else is the matter.
import type {ComponentChildren} from 'preact';
import {useState} from 'preact/hooks';

import {Button} from '../controls/button.js';
import {Icon, type IconName} from '../controls/icons.js';
import {said, useStudio} from '../context.js';
import {errorWords} from '../errors.js';
import {startScene} from '../gallery/start.js';
import type {App} from '../../model/index.js';

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
        <p>Create a world with a flag, a tablecloth and a ball, and pull at them; or choose one of the examples.</p>
        <div class="button-row">
          <Button look="outlined" onClick={() => (ui.dialog.value = 'samples')}>
            See the examples
          </Button>
          {make}
        </div>
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
