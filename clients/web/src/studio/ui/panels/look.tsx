// How what is selected looks on this page alone. The server has no word for it, so that the others see nothing of it.
import {WEAVES, type OwnLook, type Weave} from '../../model/viewstate.js';
import type {Selected} from '../../model/selection.js';
import {Button} from '../controls/button.js';
import {Icon} from '../controls/icons.js';
import {useStudio, type Studio} from '../context.js';
import {Section} from '../forms/form.js';
import {ChoiceField, Switch} from '../forms/choice.js';

type App = Studio['app'];

export function keysOf({bodies, colliders}: Pick<Selected, 'bodies' | 'colliders'>): string[] {
  return [...[...bodies].map((id) => `body:${id}`), ...[...colliders].map((id) => `collider:${id}`)];
}

function change(app: App, keys: readonly string[], by: OwnLook | null): void {
  const own = new Map(app.viewState.own.peek());
  for (const key of keys) {
    const look = {...own.get(key), ...by};
    const plain = !look.hidden && !look.locked && look.color === undefined && look.weave === undefined;
    if (by === null || plain) own.delete(key);
    else own.set(key, look);
  }
  app.viewState.own.value = own;
}

export function isHidden(app: App, selected: Selected): boolean {
  const keys = keysOf(selected);
  return keys.length > 0 && keys.every((key) => app.viewState.own.value.get(key)?.hidden);
}

export function hide(app: App, selected: Selected, hidden: boolean): void {
  change(app, keysOf(selected), {hidden});
}

export function showAll(app: App): void {
  change(app, [...app.viewState.own.peek().keys()], {hidden: false});
  app.viewState.apart.value = null;
}

// Whether any of it is locked on this page. Particles are as their bodies are.
export function isLocked(app: App, {bodies, colliders, particles}: Selected): boolean {
  const keys = keysOf({bodies: new Set([...bodies, ...particles.keys()]), colliders});
  return keys.some((key) => app.viewState.own.value.get(key)?.locked);
}

export function lock(app: App, selected: Selected, locked: boolean): void {
  lockKeys(app, keysOf(selected), locked);
}

export function lockKeys(app: App, keys: readonly string[], locked: boolean): void {
  change(app, keys, {locked});
}

export function hideKeys(app: App, keys: readonly string[], hidden: boolean): void {
  change(app, keys, {hidden});
}

export function unlockAll(app: App): void {
  lockKeys(app, [...app.viewState.own.peek().keys()], false);
}

export function lockedCount(app: App): number {
  return [...app.viewState.own.value.values()].filter(({locked}) => locked).length;
}

// Leaves only what is selected in sight; a second time, brings everything back.
export function isolate(app: App, selected: Selected): void {
  const {viewState, document, notices} = app;
  if (viewState.apart.peek()) {
    viewState.apart.value = null;
    return;
  }
  const kept = new Set(
    keysOf({bodies: new Set([...selected.bodies, ...selected.particles.keys()]), colliders: selected.colliders}),
  );
  if (kept.size === 0) {
    notices.info('Select bodies or colliders first, then isolate them.');
    return;
  }
  const all = keysOf({
    bodies: new Set(document.bodies.peek().keys()),
    colliders: new Set(document.colliders.peek().keys()),
  });
  viewState.apart.value = new Set(all.filter((key) => !kept.has(key)));
}

// While something is isolated: says so, and has the way back.
export function IsolatedNote() {
  const {app} = useStudio();
  const apart = app.viewState.apart.value;
  if (!apart) return null;
  return (
    <div class="held-note panel" role="status">
      <Icon name="isolate" />
      <span>The rest is out of sight on this page.</span>
      <Button look="outlined" size="small" onClick={() => (app.viewState.apart.value = null)}>
        Show it
      </Button>
    </div>
  );
}

export function hiddenCount(app: App): number {
  return [...app.viewState.own.value.values()].filter(({hidden}) => hidden).length;
}

const WEAVE_NAMES: Readonly<Record<Weave, string>> = {
  plain: 'Plain, as linen',
  twill: 'Twill, as denim',
  knit: 'Knit, as wool',
  smooth: 'Smooth, as silk',
};

export function LookForm({selected}: {selected: Selected}) {
  const {app} = useStudio();
  const keys = keysOf(selected);
  const looks = keys.map((key) => app.viewState.own.value.get(key));
  const color = looks.find((look) => look?.color)?.color;
  const [thing, id] = (keys[0] ?? '').split(':');
  const cloths =
    selected.colliders.size === 0 &&
    [...selected.bodies].every((body) => app.document.bodies.value.get(body)?.kind === 'cloth');
  // Reads the theme, by which the colours of all go.
  const common = app.viewState.theme.value && app.view?.colorOf(thing as 'body' | 'collider', Number(id));
  return (
    <Section name="On this page" open={false} doc="How it looks to you; other people do not see this.">
      <Switch
        label="Hidden"
        doc="It still exists: other people see it, and things fall on it."
        on={isHidden(app, selected)}
        onGive={(on) => hide(app, selected, on)}
      />
      <Switch
        label="Locked"
        doc="You cannot pick, pull, move or remove it here. Other people can."
        on={isLocked(app, selected)}
        onGive={(on) => lock(app, selected, on)}
      />
      <Switch
        label="Alone in sight"
        doc="Everything else is hidden on this page until you switch this off."
        on={app.viewState.apart.value !== null}
        onGive={() => isolate(app, selected)}
      />
      <div class="field">
        <label class="name" for="own-color" data-tip="Only for you; other people see the default color.">
          Colour
        </label>
        <span class="with-button">
          <input
            id="own-color"
            type="color"
            class="own-color"
            value={color ?? common ?? '#808080'}
            onInput={(event) => change(app, keys, {color: event.currentTarget.value})}
          />
          {color && (
            <Button look="outlined" size="small" onClick={() => change(app, keys, {color: undefined})}>
              Default
            </Button>
          )}
        </span>
      </div>
      {cloths && (
        <ChoiceField
          label="Weave"
          doc="How its threads run, as you see them from near by. By default, its material decides."
          values={WEAVES}
          names={WEAVE_NAMES}
          value={looks.find((look) => look?.weave)?.weave}
          none="By its material"
          onNone={() => change(app, keys, {weave: undefined})}
          onGive={(weave) => change(app, keys, {weave: weave as Weave})}
        />
      )}
    </Section>
  );
}
