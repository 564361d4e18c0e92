// How uPlot draws: the same curves on the page and in a picture, at another size.
import uPlot from 'uplot';

import {formatMeasure} from '../forms/numbers.js';

export interface PlotCurve {
  readonly label: string;
  readonly color: number;
}

export interface Look {
  readonly width: number;
  readonly height: number;
  readonly log: boolean;
  // Of letters and lines, to what they are on the page.
  readonly scale: number;
}

// Pixels; uPlot takes whole ones.
const LABEL_PX = 11;
const COLORS = 7;

export function token(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

export function colorAt(index: number): string {
  return token(`--curve-${(index % COLORS) + 1}`);
}

export function colorClass(index: number): string {
  return `curve-${(index % COLORS) + 1}`;
}

export function optionsOf(curves: readonly PlotCurve[], {width, height, log, scale}: Look): uPlot.Options {
  const [muted, line] = [token('--text-faint'), token('--line')];
  const label = Math.max(LABEL_PX, Number.parseFloat(token('--text-small')) || 0);
  const axis = {
    stroke: muted,
    font: `${Math.round(label * scale)}px ${token('--font')}`,
    grid: {stroke: line, width: scale},
    ticks: {show: false},
  };
  const words = (value: number | null) => (value === null ? '' : formatMeasure(value));
  return {
    width,
    height,
    padding: [8 * scale, 6 * scale, 0, 0],
    legend: {show: false},
    cursor: {show: true, x: true, y: false, drag: {x: false, y: false}, points: {size: 5}},
    scales: {x: {time: false}, y: log ? {distr: 3, range: logRangeOf} : {range: rangeOf}},
    axes: [
      {
        ...axis,
        size: 24 * scale,
        space: 56 * scale,
        values: (_, ticks) => ticks.map((tick) => `${formatMeasure(tick)} s`),
      },
      {...axis, size: 48 * scale, space: 28 * scale, values: (_, ticks) => ticks.map(words)},
    ],
    series: [
      {},
      ...curves.map((curve) => ({
        label: curve.label,
        stroke: colorAt(curve.color),
        width: 1.5 * scale,
        points: {show: false},
        spanGaps: false,
      })),
    ],
  };
}

// What a logarithm has no place for is left out.
export function dataOf(
  time: Float64Array,
  columns: readonly Float64Array[],
  factor: number,
  log: boolean,
): uPlot.AlignedData {
  const scaled = columns.map((column) =>
    log
      ? Array.from(column, (value) => (value * factor > 0 ? value * factor : null))
      : column.map((value) => value * factor),
  );
  return [time, ...scaled] as uPlot.AlignedData;
}

// Some room above and below, and never a range of nothing.
function rangeOf(_: uPlot, low: number | null, high: number | null): [number, number] {
  if (low === null || high === null || !Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  const room = (high - low) * 0.08 || Math.abs(high) * 0.1 || 1e-3;
  return [low >= 0 && low - room < 0 ? 0 : low - room, high + room];
}

// Whole powers of ten, and no more of them than can be told apart: what is next to nothing lies below.
const DECADES = 9;

function logRangeOf(_: uPlot, low: number | null, high: number | null): [number, number] {
  if (low === null || high === null || !(low > 0) || !Number.isFinite(high)) return [0.1, 1];
  const top = Math.ceil(Math.log10(high) + 1e-9);
  const bottom = Math.max(Math.floor(Math.log10(low)), top - DECADES);
  return [10 ** Math.min(bottom, top - 1), 10 ** top];
}
