// How what is selected looks on this page alone. The server has no word for it, so that the others see nothing of it.
import {WEAVES, type OwnLook, type Weave} from '../../model/viewstate.js';
import type {Selected} from '../../model/selection.js';
import {Button} from '../controls/button.js';
import {useStudio, type Studio} from '../context.js';
import {Section} from '../forms/form.js';
import {ChoiceField, Switch} from '../forms/choice.js';

type App = Studio['app'];

function keysOf({bodies, colliders}: Selected): string[] {
  return [...[...bodies].map((id) => `body:${id}`), ...[...colliders].map((id) => `collider:${id}`)];
}

function change(app: App, keys: readonly string[], by: OwnLook | null): void {
  const own = new Map(app.viewState.own.peek());
  for (const key of keys) {
    const look = {...own.get(key), ...by};
    if (by === null || (look.hidden !== true && look.color === undefined && look.weave === undefined)) own.delete(key);
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
