// A plot as a picture or as a table, for elsewhere.
import type uPlot from 'uplot';

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

export function save(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
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

// The curves with their title and legend, as large as they are on the screen.
export async function savePng(name: string, plot: uPlot, words: PictureWords): Promise<void> {
  const source = plot.ctx.canvas;
  const scale = source.width / Math.max(1, source.clientWidth);
  const margin = 16 * scale;
  const head = 52 * scale;
  const canvas = document.createElement('canvas');
  canvas.width = source.width + 2 * margin;
  canvas.height = source.height + head + margin;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser has no canvas to draw on.');
  context.fillStyle = words.background;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = words.text;
  context.font = `600 ${15 * scale}px ${words.font}`;
  context.textBaseline = 'middle';
  context.fillText(words.title, margin, 20 * scale);
  context.font = `${12 * scale}px ${words.font}`;
  let x = margin;
  for (const {label, color} of words.legend) {
    context.fillStyle = color;
    context.fillRect(x, 39 * scale, 10 * scale, 2.5 * scale);
    context.fillStyle = words.text;
    context.fillText(label, x + 15 * scale, 40 * scale);
    x += context.measureText(label).width + 31 * scale;
  }
  context.drawImage(source, margin, head);
  const picture = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
  if (!picture) throw new Error('The picture could not be made.');
  save(`${name}.png`, picture);
}
