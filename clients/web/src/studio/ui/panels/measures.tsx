// The measuring tool, above the bar: what the next points are of, what can be measured of the selection, and the list of measures
// with their values. The list stays with another tool, until its measures are removed.
import {measuringOf} from '../../model/measuring.js';
import {offeredOf, POINTS, type Anchor, type Picked} from '../../model/measures.js';
import {Button, IconButton} from '../controls/button.js';
import {Icon} from '../controls/icons.js';
import {useStudio, type Studio} from '../context.js';
import {Segments} from '../forms/choice.js';
import {prettyName} from '../forms/units.js';
import {anchorsWords, bodyWord, measureName} from './measurewords.js';

// So many things of the selection are offered at most.
const OFFERED = 6;
const NEXT = ['first', 'second', 'third'] as const;
const QUANTITIES = {area: 'Area', length: 'Length', volume: 'Volume', pull: 'Pull'} as const;

export function MeasuresPanel() {
  const {app} = useStudio();
  const {tool, measures} = app.viewState;
  const measuring = measuringOf(app);
  const readings = measuring.readings.value;
  return (
    <div class="measures panel" role="group" aria-label="Measures">
      {tool.value === 'measure' && <MeasureOptions />}
      {measures.value.length > 0 && (
        <ul class="scrolls" aria-label="List of measures">
          {measures.value.map((measure) => {
            const reading = readings.get(measure.id);
            const name = measureName(app, measure);
            return (
              <li key={measure.id}>
                <span class="grow measure-name">{name}</span>
                <b class="numeric">{reading?.text ?? '…'}</b>
                {reading?.more && <span class="faint numeric more">{reading.more}</span>}
                <IconButton
                  icon="close"
                  name={`Remove: ${name}`}
                  size="small"
                  look="muted"
                  onClick={() => measuring.remove(measure.id)}
                />
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}

function MeasureOptions() {
  const {app} = useStudio();
  const {picked} = app.viewState;
  const measuring = measuringOf(app);
  const kind = measuring.kind.value;
  const points = picked.value;
  const offers = offersOf(app);
  return (
    <>
      <div class="measure-line">
        <Segments
          label="Measure"
          values={Object.keys(POINTS)}
          names={{distance: 'Distance', angle: 'Angle'}}
          value={kind}
          onGive={(value) => measuring.choose(value as Picked)}
        />
        <span class="faint grow" role="status">
          {points.length > 0 && `${anchorsWords(app, points.slice(-1))}. `}
          Click the {NEXT[points.length]} point.
        </span>
        <IconButton
          icon="close"
          name="Stop measuring"
          hotkey="1"
          size="small"
          look="muted"
          onClick={() => {
            picked.value = [];
            app.viewState.tool.value = 'grab';
          }}
        />
      </div>
      {offers.length > 0 && (
        <div class="measure-line offers" role="group" aria-label="Measure the selection">
          {offers.slice(0, OFFERED).map(({name, add}) => (
            <Button key={name} icon="plus" size="small" look="outlined" onClick={add}>
              {name}
            </Button>
          ))}
          {offers.length > OFFERED && <span class="faint">and {offers.length - OFFERED} more: select less</span>}
        </div>
      )}
      {offers.length === 0 && points.length === 0 && (
        <p class="faint measure-hint">
          <Icon name="information" /> Select a thing in the outline for its area, length, volume or force.
        </p>
      )}
    </>
  );
}

interface Offer {
  name: string;
  add: () => void;
}

// Entries for the selected things.
function offersOf(app: Studio['app']): Offer[] {
  const measuring = measuringOf(app);
  const {bodies, particles, constraints} = app.selection.selected.value;
  const known = app.document.bodies.value;
  const offers: Offer[] = [];
  const points: Anchor[] = [...particles].flatMap(([body, some]) =>
    Array.from(some.slice(0, 4), (particle) => ({kind: 'particle', body, particle}) as const),
  );
  const count = [...particles.values()].reduce((sum, some) => sum + some.length, 0);
  if (count === 2) offers.push({name: 'Distance of both', add: () => measuring.add({kind: 'distance', anchors: points})});
  if (count === 3) offers.push({name: 'Angle of the three', add: () => measuring.add({kind: 'angle', anchors: points})});
  const [only] = points;
  if (count === 1 && only?.kind === 'particle' && known.get(only.body)?.pins.includes(only.particle)) {
    const {body, particle} = only;
    offers.push({name: 'Force of the pin', add: () => measuring.add({kind: 'pin', body, particle})});
  }
  for (const [constraint, type] of constraints) {
    offers.push({
      name: `Force of ${prettyName(type).toLowerCase()} ${constraint}`,
      add: () => measuring.add({kind: 'force', constraint, type}),
    });
  }
  for (const id of bodies) {
    const body = known.get(id);
    for (const kind of body?.topology ? offeredOf(body, body.topology) : []) {
      offers.push({name: `${QUANTITIES[kind]} of ${bodyWord(app, id)}`, add: () => measuring.add({kind, body: id})});
    }
  }
  // Measures in the list are not offered again.
  const there = new Set(app.viewState.measures.value.map((measure) => measureName(app, measure)));
  return offers.filter(({name}) => !there.has(name));
}
