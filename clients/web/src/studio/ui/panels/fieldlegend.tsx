// Legends of physical fields and of arrows: what a colour or a length stands for, with a range that goes by itself or is
// fixed.
import type {FieldLook} from '../../model/viewstate.js';
import {useStudio} from '../context.js';
import {Switch} from '../forms/choice.js';
import {NumberField} from '../forms/number.js';
import {formatMeasure} from '../forms/numbers.js';
import {prettyUnit} from '../forms/units.js';

const gradient = (colors: readonly string[]) => `linear-gradient(90deg, ${colors.join()})`;
const colour = (element: HTMLElement | null, value: string) => element?.style.setProperty('background', value);

export const FIELD_NAMES: Readonly<Record<FieldLook, string>> = {
  off: 'Off',
  strain: 'Strain',
  stress: 'Stress',
  speed: 'Speed',
  contact: 'Contact',
  asleep: 'Sleep',
};

const CODES: Partial<Record<FieldLook, readonly (readonly [string, string])[]>> = {
  contact: [
    ['touching', 'Touching'],
    ['held', 'Slowed down'],
  ],
  asleep: [['asleep', 'Sleeps']],
};

export function FieldLegend() {
  const {viewState} = useStudio().app;
  const shown = viewState.shownField.value;
  const arrows = viewState.shownArrows.value;
  return (
    <>
      {shown && <Colours />}
      {arrows && <ArrowScale count={arrows.count} full={arrows.full} />}
    </>
  );
}

function Colours() {
  const {viewState} = useStudio().app;
  const shown = viewState.shownField.value;
  const colors = viewState.colors.value;
  if (!shown || !colors) return null;
  const {look, unit, low, high} = shown;
  const codes = CODES[look];
  const name = FIELD_NAMES[look];
  if (codes) {
    const of = (code: string) =>
      code === 'touching' || code === 'held' ? colors.contacts[code] : (colors.strain[0] ?? '');
    return (
      <div class="colours panel" role="group" aria-label={`Colours of ${name.toLowerCase()}`}>
        {codes.map(([code, words]) => (
          <span key={code} class="colours-kind">
            <i ref={(swatch) => void colour(swatch, of(code))} />
            {words}
          </span>
        ))}
      </div>
    );
  }
  const fixed = viewState.fieldRange.value[look] ?? null;
  const fix = (value: number | null) =>
    (viewState.fieldRange.value = {...viewState.fieldRange.peek(), [look]: value});
  return (
    <div class="colours panel" role="group" aria-label={`Colours of ${name.toLowerCase()}`}>
      <div class="colours-strain">
        <span>
          {name} {unit && <span class="faint">{prettyUnit(unit)}</span>}
        </span>
        <i ref={(scale) => void colour(scale, gradient(shown.colors))} />
        <span class="colours-numbers numeric">
          <span>{formatMeasure(low)}</span>
          {low < 0 && <span>0</span>}
          <span>{formatMeasure(high)}</span>
        </span>
      </div>
      <Range name={name} unit={unit} value={fixed} now={high} onFix={fix} />
    </div>
  );
}

function ArrowScale({count, full}: {count: number; full: number}) {
  const {viewState} = useStudio().app;
  return (
    <div class="colours panel" role="group" aria-label="Scale of the arrows">
      <span>{count === 0 ? 'No forces now' : `The longest arrow is ${formatMeasure(full)} N`}</span>
      <Range
        name="Arrows"
        unit="N"
        value={viewState.arrowRange.value}
        now={full}
        onFix={(value) => (viewState.arrowRange.value = value)}
      />
    </div>
  );
}

function Range(props: {name: string; unit: string; value: number | null; now: number; onFix: (value: number | null) => void}) {
  const {name, unit, value, now, onFix} = props;
  return (
    <div class="form">
      <Switch
        label="Range by itself"
        doc={`Whether the scale of ${name.toLowerCase()} follows the greatest value.`}
        on={value === null}
        onGive={(on) => onFix(on ? null : Number(now.toPrecision(2)))}
      />
      {value !== null && (
        <NumberField
          name="Greatest"
          unit={unit.includes(',') ? undefined : prettyUnit(unit)}
          value={value}
          scale={null}
          refuse={(one) => (one > 0 ? undefined : 'More than 0.')}
          onGive={(one) => one > 0 && onFix(one)}
        />
      )}
    </div>
  );
}
