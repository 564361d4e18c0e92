// A plot as a picture or as a table, for elsewhere.
import uPlot from 'uplot';

import {save} from '../save.js';
import {optionsOf, type PlotCurve} from './options.js';

export interface Column {
  readonly label: string;
  readonly unit: string;
  readonly values: ArrayLike<number>;
}

// RFC 4180, with a line of names and units; an empty cell where there is no number.
export function csvOf(columns: readonly Column[]): string {
  const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const head = columns.map(({label, unit}) => quoted(unit ? `${label} [${unit}]` : label)).join(',');
  const rows = Array.from({length: columns[0]?.values.length ?? 0}, (_, i) =>
    columns.map(({values}) => (Number.isFinite(values[i]) ? String(values[i]) : '')).join(','),
  );
  return [head, ...rows, ''].join('\r\n');
}

export function saveCsv(name: string, columns: readonly Column[]): void {
  save(`${name}.csv`, new Blob([csvOf(columns)], {type: 'text/csv'}));
}

export interface PictureWords {
  readonly title: string;
  readonly legend: readonly {readonly label: string; readonly color: string}[];
  readonly background: string;
  readonly text: string;
  readonly font: string;
}

const WIDTH_PX = 1600;
const HEIGHT_PX = 720;
const MARGIN_PX = 32;
// Letters and lines are as large as on a page of half the width.
const SCALE = 2;

interface Entry {
  readonly label: string;
  readonly color: string;
  readonly x: number;
  readonly row: number;
}

// The legend in as many rows as it needs.
function rowsOf(context: CanvasRenderingContext2D, {legend}: PictureWords): Entry[] {
  let x = MARGIN_PX;
  let row = 0;
  return legend.map(({label, color}) => {
    const width = context.measureText(label).width + 34;
    if (x > MARGIN_PX && x + width > WIDTH_PX - MARGIN_PX) {
      x = MARGIN_PX;
      row += 1;
    }
    const entry = {label, color, x, row};
    x += width + 30;
    return entry;
  });
}

// Draws the plot again at the picture's size, apart from the page.
async function drawn(
  curves: readonly PlotCurve[],
  data: uPlot.AlignedData,
  log: boolean,
  take: (canvas: HTMLCanvasElement) => void,
): Promise<void> {
  const ratio = devicePixelRatio;
  const look = {
    width: (WIDTH_PX - 2 * MARGIN_PX) / ratio,
    height: HEIGHT_PX / ratio,
    log,
    scale: SCALE / ratio,
  };
  const plot = await new Promise<uPlot>((done) => {
    const options = optionsOf(curves, look);
    new uPlot(
      {...options, hooks: {draw: [(ready) => queueMicrotask(() => done(ready))]}},
      data,
      document.createElement('div'),
    );
  });
  take(plot.ctx.canvas);
  plot.destroy();
}

// The curves with their title and legend, 1600 pixels wide whatever the screen.
export async function savePng(
  name: string,
  curves: readonly PlotCurve[],
  data: uPlot.AlignedData,
  log: boolean,
  words: PictureWords,
): Promise<void> {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser cannot draw pictures.');
  const legendFont = `24px ${words.font}`;
  context.font = legendFont;
  const legend = rowsOf(context, words);
  const rows = 1 + Math.max(0, ...legend.map(({row}) => row));
  const head = 72 + 36 * rows;
  canvas.width = WIDTH_PX;
  canvas.height = head + HEIGHT_PX + MARGIN_PX;
  context.fillStyle = words.background;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.textBaseline = 'middle';
  context.fillStyle = words.text;
  context.font = `600 30px ${words.font}`;
  context.fillText(words.title, MARGIN_PX, 42);
  context.font = legendFont;
  for (const {label, color, x, row} of legend) {
    const y = 88 + 36 * row;
    context.fillStyle = color;
    context.fillRect(x, y - 3, 24, 6);
    context.fillStyle = words.text;
    context.fillText(label, x + 34, y);
  }
  await drawn(curves, data, log, (picture) =>
    context.drawImage(picture, MARGIN_PX, head, WIDTH_PX - 2 * MARGIN_PX, HEIGHT_PX),
  );
  const picture = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
  if (!picture) throw new Error('The picture could not be created.');
  save(`${name}.png`, picture);
}
