// One plot: curves over the world's time, drawn by uPlot, with a legend that says the newest values.
import {useEffect, useRef} from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

import {IconButton} from '../controls/button.js';
import {formatMeasure} from '../forms/numbers.js';
import {prettyUnit} from '../forms/units.js';
import {useStudio} from '../context.js';
import {saveCsv, savePng} from './export.js';

export interface PlotCurve {
  readonly label: string;
  readonly color: number;
}

export interface PlotProps {
  title: string;
  unit: string;
  doc?: string;
  curves: readonly PlotCurve[];
  time: Float64Array;
  columns: readonly Float64Array[];
  // What the columns are multiplied by.
  factor?: number;
  // Everything that is kept, for the table.
  all: () => {readonly time: Float64Array; readonly columns: readonly Float64Array[]};
  fileName: string;
  onFail: (why: string) => void;
}

const HEIGHT = 132;
const COLORS = 7;

export function colorAt(index: number): string {
  return getComputedStyle(document.documentElement)
    .getPropertyValue(`--curve-${(index % COLORS) + 1}`)
    .trim();
}

function token(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

export function Plot(props: PlotProps) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const {curves, time, columns, factor = 1} = props;
  const look = useStudio().app.viewState.theme.value;
  const shape = `${look} ${curves.map(({label, color}) => `${label}:${color}`).join()}`;
  const unit = prettyUnit(props.unit);

  useEffect(() => {
    const parent = box.current;
    if (!parent) return;
    const made = new uPlot(optionsOf(parent.clientWidth, curves), [[], ...curves.map(() => [])], parent);
    plot.current = made;
    const observer = new ResizeObserver(() => made.setSize({width: parent.clientWidth, height: HEIGHT}));
    observer.observe(parent);
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [shape]);

  useEffect(() => {
    const scaled = columns.map((column) => column.map((value) => value * factor));
    plot.current?.setData([time, ...scaled] as uPlot.AlignedData);
  });

  const picture = async () => {
    if (!plot.current) return;
    const legend = curves.map(({label, color}) => ({label, color: colorAt(color)}));
    const title = unit ? `${props.title} (${unit})` : props.title;
    const words = {
      title,
      legend,
      background: token('--surface'),
      text: token('--text'),
      font: token('--font'),
    };
    try {
      await savePng(props.fileName, plot.current, words);
    } catch (error) {
      props.onFail(error instanceof Error ? error.message : String(error));
    }
  };
  const table = () => {
    const all = props.all();
    saveCsv(props.fileName, [
      {label: 'time', unit: 's', values: all.time},
      ...curves.map(({label}, i) => ({
        label,
        unit,
        values: (all.columns[i] ?? new Float64Array()).map((v) => v * factor),
      })),
    ]);
  };
  const newest = (i: number) => {
    const value = columns[i]?.[time.length - 1];
    return value === undefined || !Number.isFinite(value) ? '–' : formatMeasure(value * factor);
  };
  const spoken = curves.map(({label}, i) => `${label} ${newest(i)} ${unit}`).join(', ');

  return (
    <figure class="plot" aria-label={`${props.title}: ${spoken}`}>
      <figcaption>
        <span class="plot-title" data-tip={props.doc}>
          {props.title} <span class="unit">{unit}</span>
        </span>
        <IconButton
          icon="camera"
          name={`Save ${props.title} as PNG`}
          size="small"
          look="muted"
          onClick={() => void picture()}
        />
        <IconButton
          icon="download"
          name={`Save ${props.title} as CSV`}
          size="small"
          look="muted"
          onClick={table}
        />
      </figcaption>
      <div class="plot-box" ref={box} />
      <ul class="legend">
        {curves.map(({label, color}, i) => (
          <li key={label}>
            <span class={`swatch curve-${(color % COLORS) + 1}`} />
            <span class="grow">{label}</span>
            <span class="numeric">{newest(i)}</span>
          </li>
        ))}
      </ul>
    </figure>
  );
}

function optionsOf(width: number, curves: readonly PlotCurve[]): uPlot.Options {
  const [muted, line] = [token('--text-faint'), token('--line')];
  const axis = {
    stroke: muted,
    font: `10.5px ${token('--font')}`,
    grid: {stroke: line, width: 1},
    ticks: {show: false},
  };
  return {
    width,
    height: HEIGHT,
    padding: [8, 6, 0, 0],
    legend: {show: false},
    cursor: {show: true, x: true, y: false, drag: {x: false, y: false}, points: {size: 5}},
    scales: {x: {time: false}, y: {range: rangeOf}},
    axes: [
      {...axis, size: 24, space: 56, values: (_, ticks) => ticks.map((tick) => `${formatMeasure(tick)} s`)},
      {...axis, size: 46, space: 28, values: (_, ticks) => ticks.map((tick) => formatMeasure(tick))},
    ],
    series: [
      {},
      ...curves.map(({label, color}) => ({
        label,
        stroke: colorAt(color),
        width: 1.5,
        points: {show: false},
        spanGaps: false,
      })),
    ],
  };
}

// Some room above and below, and never a range of nothing.
function rangeOf(_: uPlot, low: number | null, high: number | null): [number, number] {
  if (low === null || high === null || !Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  const room = (high - low) * 0.08 || Math.abs(high) * 0.1 || 1e-3;
  return [low >= 0 && low - room < 0 ? 0 : low - room, high + room];
}
