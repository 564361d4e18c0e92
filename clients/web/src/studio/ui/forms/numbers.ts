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

// What somebody typed: '0.5', '1e-6', '1,5', '-3', '2 mm' where the unit is m, '45°' where it is rad. Null: no number.
export function parseNumber(text: string, unit = ''): number | null {
  const match = /^([-+−]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[-+−]?\d+)?)\s*(\D*)$/i.exec(text.trim());
  if (!match?.[1]) return null;
  const number = Number(match[1].replace(',', '.').replaceAll('−', '-'));
  if (!Number.isFinite(number)) return null;
  const suffix = (match[2] ?? '').trim();
  if (suffix === '' || suffix === unit) return number;
  if (unit === 'm' && LENGTHS[suffix] !== undefined) return number * LENGTHS[suffix];
  if (unit === 'rad' && (suffix === '°' || suffix === 'deg')) return (number * Math.PI) / 180;
  return null;
}

// A count for people: 12,345.
export function formatCount(value: number): string {
  return Math.round(value).toLocaleString('en-US');
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
