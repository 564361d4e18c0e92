// Two pictures by one camera: which world stands beside this one, and what each half shows.
import {useEffect, useRef} from 'preact/hooks';

import {Button} from '../controls/button.js';
import {Icon} from '../controls/icons.js';
import {Popover} from '../controls/popover.js';
import {useStudio} from '../context.js';
import {Switch} from '../forms/choice.js';
import {secondsText} from './words.js';

export function BesideButton() {
  const {app, ui} = useStudio();
  const anchor = useRef<HTMLSpanElement>(null);
  const open = ui.menu.value === 'beside';
  return (
    <span ref={anchor}>
      <Button
        icon="halves"
        size="small"
        aria-label="Side by side"
        aria-haspopup="dialog"
        aria-expanded={open}
        chosen={app.beside.shown.value}
        data-tip="Show another world, or the present, beside this picture"
        onClick={() => (ui.menu.value = open ? null : 'beside')}
      >
        {!ui.narrow.value && 'Side by side'}
      </Button>
      {open && (
        <Popover
          anchor={anchor.current}
          name="Side by side"
          align="end"
          class="beside-menu"
          onClose={() => (ui.menu.value = null)}
        >
          <BesideMenu onDone={() => (ui.menu.value = null)} />
        </Popover>
      )}
    </span>
  );
}

function BesideMenu({onDone}: {onDone: () => void}) {
  const {app} = useStudio();
  const {beside, document, past} = app;
  useEffect(() => app.worlds.watch(), [app]);
  const home = document.home.value;
  const others = app.worlds.list.value.filter(({world}) => world !== home);
  const other = beside.document.home.value;
  const show = (name: string) => {
    void beside.open(name);
    onDone();
  };
  const inPast = past.at.value !== null;
  return (
    <>
      {inPast && (
        <button
          type="button"
          class="menu-item"
          aria-current={beside.same.value}
          onClick={() => show(document.name.peek())}
        >
          <Icon name="play" />
          <span class="grow">This world as it is now</span>
        </button>
      )}
      {others.map(({world, name}) => (
        <button
          key={world}
          type="button"
          class="menu-item"
          aria-current={world === other}
          onClick={() => show(name)}
        >
          <Icon name="world" />
          <span class="grow">{name}</span>
        </button>
      ))}
      {!inPast && others.length === 0 && (
        <p class="menu-foot faint">There is no other world. Go back in time to compare the past with the present.</p>
      )}
      <div class="menu-line" />
      <Switch
        label="Another world at the same tick"
        doc="While the past is shown. If that world is shorter, its last tick."
        on={beside.together.value}
        onGive={(on) => (beside.together.value = on)}
      />
      {beside.shown.value && (
        <button
          type="button"
          class="menu-item"
          onClick={() => {
            beside.leave();
            onDone();
          }}
        >
          <Icon name="close" />
          <span class="grow">Show one picture</span>
        </button>
      )}
    </>
  );
}

// What is seen in each half.
export function Captions() {
  const {app} = useStudio();
  const {beside, document} = app;
  if (!beside.shown.value) return null;
  const missing = beside.document.phase.value;
  const away = missing === 'missing' || missing === 'deleted' || missing === 'refused';
  return (
    <div class="captions">
      <Caption source={document} words="" />
      <Caption source={beside.document} words={away ? 'is not there' : ''} />
    </div>
  );
}

function Caption({source, words}: {source: ReturnType<typeof useStudio>['app']['document']; words: string}) {
  const {tick_rate: rate} = source.settings.value;
  const past = source.viewOf.value !== 0;
  const when = words || `${past ? 'then' : 'now'}, ${secondsText(source.tick.value, rate)}`;
  return (
    <span class={past ? 'caption past' : 'caption'}>
      {past && <Icon name="history" />}
      <b>{source.name.value}</b> <span class="numeric">{when}</span>
    </span>
  );
}
