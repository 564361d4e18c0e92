// A saved document as a scene: the same JSON that `weft save` writes, but with all arrays inline, so that it is one file.
// Every number is written so that it is read again with the same bits.
import type {Scene} from '../../../files/index.js';

function isNumbers(value: object): value is Float64Array | Float32Array | Uint32Array {
  return ArrayBuffer.isView(value) && !(value instanceof DataView);
}

// JSON has no -0 of its own in JavaScript's hands; numbers of 32 bits need no more digits than those of 64.
function numberText(value: number): string {
  return Object.is(value, -0) ? '-0.0' : String(value);
}

const ROW = 12;

function write(value: unknown, indent: string, out: string[]): void {
  const deeper = `${indent}  `;
  if (typeof value === 'number') {
    out.push(numberText(value));
  } else if (typeof value !== 'object' || value === null) {
    out.push(JSON.stringify(value ?? null));
  } else if (isNumbers(value) || (Array.isArray(value) && value.every((one) => typeof one === 'number'))) {
    const row = (from: number) => Array.from(value.slice(from, from + ROW) as ArrayLike<number>, numberText).join(', ');
    if (value.length <= ROW) {
      out.push(`[${row(0)}]`);
      return;
    }
    out.push('[');
    for (let i = 0; i < value.length; i += ROW) out.push(`${i === 0 ? '' : ','}\n${deeper}${row(i)}`);
    out.push(`\n${indent}]`);
  } else {
    const list = Array.isArray(value);
    const entries: [string, unknown][] = list
      ? value.map((one) => ['', one])
      : Object.entries(value).filter(([, one]) => one !== undefined && one !== null);
    out.push(list ? '[' : '{');
    entries.forEach(([name, one], i) => {
      out.push(`${i === 0 ? '' : ','}\n${deeper}${list ? '' : `${JSON.stringify(name)}: `}`);
      write(one, deeper, out);
    });
    out.push(entries.length > 0 ? `\n${indent}` : '', list ? ']' : '}');
  }
}

export function sceneText(name: string, document: Scene['document']): string[] {
  const out: string[] = [];
  write({weft: 1, name, ...document}, '', out);
  out.push('\n');
  return out;
}
