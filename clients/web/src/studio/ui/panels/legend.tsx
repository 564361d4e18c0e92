// This panel explains the colours of constraints: their kinds, their strains, or unresolved bending.
import {KINDS} from '../../../lib/index.js';
import {FULL_EXCESS} from '../../model/limits.js';
import {EDGE_KINDS} from '../../model/measured.js';
import {CONSTRAINT_KINDS, type ConstraintKind} from '../../model/values.js';
import {FULL_STRAIN} from '../../model/viewstate.js';
import {useStudio, type Studio} from '../context.js';
import {QualityNote} from './quality.js';
import {formatCount, formatMeasure} from '../forms/numbers.js';
import {prettyName, prettyUnit} from '../forms/units.js';

// Kinds of which the world has any: of bodies, or added one by one.
export function kindsThere({document}: Studio['app']): ConstraintKind[] {
  const bodies = [...document.bodies.value.values()];
  return CONSTRAINT_KINDS.filter(
    (kind) =>
      bodies.some(({constraints}) => constraints[kind].count > 0) ||
      (document.constraints.loose(kind).value?.ids.length ?? 0) > 0,
  );
}

// Strain of the full colour on either side, in words.
export function fullWords(kind: ConstraintKind): string {
  const full = FULL_STRAIN[kind];
  const {as, unit} = KINDS[kind].told;
  if (as === 'relative') return `${formatMeasure(100 * full)} %`;
  return unit === 'rad' ? `${formatMeasure((180 / Math.PI) * full)}°` : `${formatMeasure(full)} ${prettyUnit(unit)}`;
}

const CONTACTS = [
  ['touching', 'Touching'],
  ['held', 'Slowed down'],
  ['crossed', 'Crossing'],
] as const;

// Of contact, with how many of each are drawn.
export function ContactLegend() {
  const {app} = useStudio();
  const shown = app.viewState.contacts.value;
  const colors = app.viewState.colors.value;
  if (!app.viewState.overlays.contacts.value || !colors) return null;
  return (
    <div class="colours panel" role="group" aria-label="Colours of contact">
      {CONTACTS.map(([kind, name]) => (
        <span key={kind} class="colours-kind">
          <i ref={(swatch) => swatch?.style.setProperty('background', colors.contacts[kind])} />
          {name} {shown?.known && <span class="numeric">{formatCount(shown[kind])}</span>}
        </span>
      ))}
      {shown && !shown.known && <span class="faint">From the next tick on, if bodies touch</span>}
      {shown && shown.more > 0 && <span class="faint">{formatCount(shown.more)} more are not drawn</span>}
      <QualityNote />
    </div>
  );
}

// Colours from 0 on.
const upper = (colors: readonly string[]) => colors.slice(colors.length >> 1);
const gradient = (colors: readonly string[]) => `linear-gradient(90deg, ${colors.join()})`;

export function Legend() {
  const {app} = useStudio();
  const {constraints, kinds, strained} = app.viewState.overlays;
  const mode = constraints.value;
  const colors = app.viewState.colors.value;
  if (mode === 'off' || !colors) return null;
  const there = kindsThere(app).filter((kind) => kinds.value.has(kind));
  const colour = (element: HTMLElement | null, value: string) => element?.style.setProperty('background', value);
  if (mode === 'kind') {
    return (
      <div class="colours panel" role="group" aria-label="Colours of the constraints">
        {there.length === 0 && <span class="faint">No constraints</span>}
        {there.map((kind) => (
          <span key={kind} class="colours-kind">
            <i ref={(swatch) => void colour(swatch, colors.kinds[kind])} />
            {prettyName(kind)}
          </span>
        ))}
      </div>
    );
  }
  if (mode === 'bend') {
    return (
      <div class="colours panel" role="group" aria-label="Colours of bending">
        <div class="colours-strain">
          <span>Bending that is not resolved</span>
          <i ref={(scale) => void colour(scale, gradient(upper(colors.strain)))} />
          <span class="colours-numbers numeric">
            <span>0</span>
            <span>100 %</span>
          </span>
        </div>
      </div>
    );
  }
  const excess = mode === 'excess';
  const shown = strained.value || excess ? there.filter((kind) => EDGE_KINDS.includes(kind)) : there;
  return (
    <div class="colours panel" role="group" aria-label="Colours of the strain">
      {shown.length === 0 && <span class="faint">No constraints</span>}
      {shown.map((kind) => (
        <div key={kind} class="colours-strain">
          <span>{excess ? `${prettyName(kind)}, above its limit` : prettyName(kind)}</span>
          <i ref={(scale) => void colour(scale, gradient(excess ? upper(colors.strain) : colors.strain))} />
          {excess ? (
            <span class="colours-numbers numeric">
              <span>0</span>
              <span>{formatMeasure(100 * FULL_EXCESS)} %</span>
            </span>
          ) : (
            <span class="colours-numbers numeric">
              <span>−{fullWords(kind)}</span>
              <span>0</span>
              <span>+{fullWords(kind)}</span>
            </span>
          )}
        </div>
      ))}
    </div>
  );
}
