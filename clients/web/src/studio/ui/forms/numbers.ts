// Numbers as text and back. What is shown has six digits at most, so that 0.1 that was a float somewhere reads 0.1.

export function formatNumber(value: number, digits = 6): string {
  if (value === 0) return '0';
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size < 1e-3 || size >= 1e6) {
    const [mantissa = '', exponent = ''] = value.toExponential(Math.min(digits, 4) - 1).split('e');
    return `${trimZeros(mantissa)}e${Number(exponent)}`;
  }
  return trimZeros(value.toPrecision(digits));
}

function trimZeros(text: string): string {
  return text.includes('.') && !text.includes('e') ? text.replace(/\.?0+$/, '') : text;
}

const LENGTHS: Record<string, number> = {mm: 1e-3, cm: 1e-2, km: 1e3, m: 1};

// Groups of three digits as people write them: 1,000 and 12,345.6; 1.234,5; 1 000 or 1'000. Without them and with a
// point. A single point stays what it is in code: 1.000 is one.
function ungrouped(number: string): string {
  if (/^[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/.test(number)) return number.replaceAll(',', '');
  if (/^[1-9]\d{0,2}(\.\d{3})+,\d*$/.test(number)) return number.replaceAll('.', '').replace(',', '.');
  return number.replace(/[ '\u00a0\u2009\u202f]/g, '').replace(',', '.');
}

const GROUPED =
  /[1-9]\d{0,2}(?:(?:,\d{3})+(?:\.\d*)?|(?:\.\d{3})+,\d*|(?:[ '\u00a0\u2009\u202f]\d{3})+(?:[.,]\d*)?)/;
const NUMBER = new RegExp(
  `^([-+−]?)(${GROUPED.source}|\\d+(?:[.,]\\d*)?|[.,]\\d+)(e[-+−]?\\d+)?\\s*(\\D*)$`,
  'i',
);

// What somebody typed: '0.5', '1e-6', '1,5', '1,000', '-3', '2 mm' where the unit is m, '45°' where it is rad. Null: no
// number.
export function parseNumber(text: string, unit = ''): number | null {
  const [whole, sign = '', digits = '', exponent = '', rest = ''] = NUMBER.exec(text.trim()) ?? [];
  if (whole === undefined) return null;
  const number = Number(`${sign}${ungrouped(digits)}${exponent}`.replaceAll('−', '-'));
  if (!Number.isFinite(number)) return null;
  const suffix = rest.trim();
  if (suffix === '' || suffix === unit) return number;
  if (unit === 'm' && LENGTHS[suffix] !== undefined) return number * LENGTHS[suffix];
  if (unit === 'rad' && (suffix === '°' || suffix === 'deg')) return (number * Math.PI) / 180;
  return null;
}

// A count for people: 12,345.
export function formatCount(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

// '1 triangle', '1,200 triangles'.
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${Math.round(count) === 1 ? one : many}`;
}

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${Math.round(bytes)} B`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  let scaled = bytes / 1000;
  let at = 0;
  while (scaled >= 1000 && at < units.length - 1) {
    scaled /= 1000;
    at += 1;
  }
  return `${scaled.toPrecision(3)} ${units[at]}`;
}

// For measures that go through many orders: 12.3, 0.00456, 1.2e-7.
export function formatMeasure(value: number): string {
  return formatNumber(value, 4);
}
