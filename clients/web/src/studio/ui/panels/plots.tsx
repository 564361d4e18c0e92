// Live curves of the world and of what is selected. Recorded only while they are shown.
import {useEffect, useState} from 'preact/hooks';

import {MEASURES} from '../../model/recorder.js';
import {IconButton} from '../controls/button.js';
import {useStudio} from '../context.js';
import {Segments} from '../forms/choice.js';
import {PLOTS, type PlotKind} from '../plots/curves.js';
import {Plot} from '../plots/plot.js';
import {commonPrefix} from '../plots/words.js';
import {kindsThere} from './legend.js';

const SPANS = ['10', '30', '120'];
const POINTS = 600;
// An empty world has a plot of this kind of constraint, too.
const ALWAYS = 'distance';

export function Plots({onClose}: {onClose: () => void}) {
  const {app} = useStudio();
  const {recorder} = app;
  const [span, setSpan] = useState('30');
  useEffect(() => recorder.watch(), [recorder]);
  void recorder.version.value;
  const ring = recorder.measures;
  const rows = ring.rows(ring.newest - Number(span), POINTS);
  const world = app.document.name.value || 'world';
  const nothing = app.selection.empty.value;
  const there = new Set(kindsThere(app));
  const fail = (why: string) => app.notices.info(why);

  return (
    <section class="panel plots" aria-label="Plots">
      <header class="panel-head">
        <h2>Plots</h2>
        <Segments
          label="Time shown"
          values={SPANS}
          names={{'10': '10 s', '30': '30 s', '120': '2 min'}}
          value={span}
          onGive={setSpan}
        />
        <span class="grow plot-hint faint">
          {nothing && 'Select a body, particles or a constraint to plot them too.'}
        </span>
        <IconButton
          icon="close"
          name="Close the plots"
          hotkey="M"
          size="small"
          look="muted"
          onClick={onClose}
        />
      </header>
      <div class="plot-row scrolls">
        {PLOTS.filter(({kind}) => !kind || ALWAYS === kind || there.has(kind)).map((kind) => {
          const shown = curvesWithSomething(kind, rows.columns);
          return (
            <Plot
              key={kind.id}
              title={kind.title}
              unit={kind.unit}
              doc={kind.doc}
              factor={kind.factor}
              curves={shown.map(({label, color}) => ({label, color}))}
              time={rows.time}
              columns={shown.map(({column}) => rows.columns[column] ?? new Float64Array())}
              all={() => {
                const all = ring.rows();
                return {
                  time: all.time,
                  columns: shown.map(({column}) => all.columns[column] ?? new Float64Array()),
                };
              }}
              fileName={`${world}-${kind.id}`}
              onFail={fail}
            />
          );
        })}
        <SelectionPlots span={Number(span)} world={world} onFail={fail} />
      </div>
    </section>
  );
}

// A kind of constraint that no body has is a line at zero, and not worth its place; the first curve always is.
function curvesWithSomething(kind: PlotKind, columns: readonly Float64Array[]) {
  return kind.curves
    .map(({name, label}, color) => ({label, color, column: MEASURES.indexOf(name)}))
    .filter(({column}, i) => i === 0 || columns[column]?.some((value) => value !== 0));
}

function SelectionPlots({span, world, onFail}: {span: number; world: string; onFail: (why: string) => void}) {
  const {recorder, selection} = useStudio().app;
  const channels = recorder.channels.value;
  if (selection.empty.value || channels.length === 0) return null;
  const ring = recorder.selected.value;
  const rows = ring.rows(ring.newest - span, POINTS);
  const units = [...new Set(channels.map(({unit}) => unit))];
  return (
    <>
      {units.map((unit) => {
        const columns = channels
          .map((channel, i) => ({channel, i}))
          .filter(({channel}) => channel.unit === unit);
        const prefix = commonPrefix(columns.map(({channel}) => channel.label));
        return (
          <Plot
            key={unit}
            title={prefix || 'Selection'}
            unit={unit}
            curves={columns.map(({channel}, color) => ({
              label: channel.label.slice(prefix.length).trim() || channel.label,
              color,
            }))}
            time={rows.time}
            columns={columns.map(({i}) => rows.columns[i] ?? new Float64Array())}
            all={() => {
              const all = ring.rows();
              return {time: all.time, columns: columns.map(({i}) => all.columns[i] ?? new Float64Array())};
            }}
            fileName={`${world}-selection`}
            onFail={onFail}
          />
        );
      })}
    </>
  );
}
