// One plot: curves over the world's time, drawn by uPlot, with a legend that says the newest values and hides curves.
import {useEffect, useRef, useState} from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

import {Button, IconButton} from '../controls/button.js';
import {Dialog} from '../controls/dialog.js';
import {formatMeasure} from '../forms/numbers.js';
import {prettyUnit} from '../forms/units.js';
import {useStudio} from '../context.js';
import {saveCsv, savePng} from './export.js';
import {colorAt, colorClass, dataOf, optionsOf, token, type PlotCurve} from './options.js';

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
const LARGE = 420;

interface FigureProps extends PlotProps {
  hidden: ReadonlySet<string>;
  log: boolean;
  large: boolean;
  onHide: (label: string) => void;
  onLog: () => void;
  onLarge?: () => void;
}

// What is hidden, and how it is scaled, is the same small and large.
export function Plot(props: PlotProps) {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [log, setLog] = useState(false);
  const [large, setLarge] = useState(false);
  const shared = {
    ...props,
    hidden,
    log,
    onHide: (label: string) => {
      const next = new Set(hidden);
      if (!next.delete(label)) next.add(label);
      setHidden(next);
    },
    onLog: () => setLog(!log),
  };
  return (
    <>
      <Figure {...shared} large={false} onLarge={() => setLarge(true)} />
      {large && (
        <Dialog title={props.title} width={1100} onClose={() => setLarge(false)}>
          <Figure {...shared} large />
        </Dialog>
      )}
    </>
  );
}

function Figure(props: FigureProps) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const {curves, time, columns, factor = 1, hidden, log, large} = props;
  const look = useStudio().app.viewState.theme.value;
  const shape = `${look} ${log} ${curves.map(({label, color}) => `${label}:${color}`).join()}`;
  const unit = prettyUnit(props.unit);
  const shown = curves.map((_, i) => i).filter((i) => !hidden.has(curves[i]?.label ?? ''));
  const height = large ? Math.max(HEIGHT, Math.min(LARGE, innerHeight - 260)) : HEIGHT;

  useEffect(() => {
    const parent = box.current;
    if (!parent) return;
    const options = optionsOf(curves, {width: parent.clientWidth, height, log, scale: 1});
    const made = new uPlot(options, [[], ...curves.map(() => [])], parent);
    plot.current = made;
    const observer = new ResizeObserver(() => made.setSize({width: parent.clientWidth, height}));
    observer.observe(parent);
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [shape, height]);

  useEffect(() => {
    const {current} = plot;
    if (!current) return;
    curves.forEach(({label}, i) => {
      const show = !hidden.has(label);
      if (current.series[i + 1]?.show !== show) current.setSeries(i + 1, {show});
    });
    current.setData(dataOf(time, columns, factor, log));
  });

  const picture = async () => {
    const drawn = shown.flatMap((i) => curves[i] ?? []);
    const picked = shown.map((i) => columns[i] ?? new Float64Array());
    const words = {
      title: unit ? `${props.title} (${unit})` : props.title,
      legend: drawn.map(({label, color}) => ({label, color: colorAt(color)})),
      background: token('--surface'),
      text: token('--text'),
      font: token('--font'),
    };
    try {
      await savePng(props.fileName, drawn, dataOf(time, picked, factor, log), log, words);
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
  const spoken = shown.map((i) => `${curves[i]?.label} ${newest(i)} ${unit}`).join(', ');

  return (
    <figure class={large ? 'plot large' : 'plot'} aria-label={`${props.title}: ${spoken}`}>
      <figcaption>
        <span class="plot-title" data-tip={props.doc}>
          {large ? props.doc : props.title} <span class="unit">{unit}</span>
        </span>
        <Button
          size="small"
          class="plot-log"
          aria-pressed={log}
          aria-label={`${props.title} on a log scale`}
          data-tip="Logarithmic: each step up is ten times as much; values of 0 and below are left out"
          onClick={props.onLog}
        >
          log
        </Button>
        {props.onLarge && (
          <IconButton
            icon="expand"
            name={`Enlarge ${props.title}`}
            size="small"
            look="muted"
            onClick={props.onLarge}
          />
        )}
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
            <button
              type="button"
              class="legend-item"
              aria-pressed={!hidden.has(label)}
              data-tip={hidden.has(label) ? 'Show this curve' : 'Hide this curve'}
              onClick={() => props.onHide(label)}
            >
              <span class={`swatch ${colorClass(color)}`} />
              <span class="grow">{label}</span>
              <span class="numeric">{newest(i)}</span>
            </button>
          </li>
        ))}
      </ul>
    </figure>
  );
}
