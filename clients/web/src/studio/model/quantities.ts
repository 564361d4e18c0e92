// Quantities as people read them in the picture: a number of four digits at most, with a unit that suits its size.

const DIGITS = 4;

function rounded(value: number, digits = DIGITS): string {
  const text = Number(value.toPrecision(digits));
  return `${Object.is(text, -0) ? 0 : text}`.replace('-', '−');
}

// 1.234 m, 123.4 mm
export function lengthText(metres: number): string {
  const size = Math.abs(metres);
  if (size < 1e-9) return '0 mm';
  return size >= 1 ? `${rounded(metres)} m` : size >= 1e-4 ? `${rounded(1000 * metres)} mm` : `${rounded(1e6 * metres)} µm`;
}

export function angleText(radians: number): string {
  const degrees = (180 * radians) / Math.PI;
  return `${rounded(Math.round(10 * degrees) / 10)}°`;
}

export function factorText(factor: number): string {
  return `${rounded(factor, 3)} ×`;
}

// 1.234 m², 56.7 cm²
export function areaText(squareMetres: number): string {
  return squareMetres >= 0.1 || squareMetres === 0 ? `${rounded(squareMetres)} m²` : `${rounded(1e4 * squareMetres)} cm²`;
}

// 1.234 m³, 56.7 l, 8.9 cm³
export function volumeText(cubicMetres: number): string {
  if (cubicMetres >= 1 || cubicMetres === 0) return `${rounded(cubicMetres)} m³`;
  return cubicMetres >= 1e-3 ? `${rounded(1e3 * cubicMetres)} l` : `${rounded(1e6 * cubicMetres)} cm³`;
}

// 0.123 N, 4.56 N, 78.9 N, 1.23 kN
export function forceText(newton: number): string {
  const [value, unit] = newton >= 1000 ? [newton / 1000, 'kN'] : [newton, 'N'];
  return `${value >= 100 ? value.toFixed(0) : value.toPrecision(3)} ${unit}`;
}

// How much more something is than at rest: '+2.5 %'; empty if nothing was at rest.
export function changeText(now: number, rest: number): string {
  if (!(Math.abs(rest) > 0)) return '';
  const percent = Math.round(1000 * (now / rest - 1)) / 10;
  return `${percent > 0 ? '+' : ''}${rounded(percent)} %`;
}
