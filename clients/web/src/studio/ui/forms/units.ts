// Units as people read them. api.json writes them in ASCII; '[C]' stands for the unit of the constraint's C.

export type Kind = 'distance' | 'dihedral' | 'isometric' | 'quadratic' | 'volume';

const SUPERSCRIPTS: Record<string, string> = {
  '0': '⁰',
  '1': '¹',
  '2': '²',
  '3': '³',
  '4': '⁴',
  '5': '⁵',
  '6': '⁶',
  '-': '⁻',
};

// Of alpha in [C]²/J and beta in J s/[C]², as docs/concepts/materials.md has them.
const COMPLIANCE: Record<Kind, string> = {
  distance: 'm/N',
  dihedral: 'rad/(N m)',
  isometric: '1/J',
  quadratic: '1/J',
  volume: 'm^5/N',
};
const DAMPING: Record<Kind, string> = {
  distance: 'N s/m',
  dihedral: 'N m s/rad^2',
  isometric: 'J s',
  quadratic: 'J s',
  volume: 'N s/m^5',
};
const REST: Record<Kind, string> = {
  distance: 'm',
  dihedral: 'rad',
  isometric: '',
  quadratic: '',
  volume: 'm^3',
};

export function prettyUnit(unit: string | undefined, kind?: Kind): string {
  let text = unit ?? '';
  if (kind) {
    if (text === '[C]^2/J') text = COMPLIANCE[kind];
    else if (text === 'J s/[C]^2') text = DAMPING[kind];
    else if (text === 'm, rad, m^3') text = REST[kind];
  }
  return text
    .replace(/\^(-?\d+)/g, (_, power: string) =>
      [...power].map((digit) => SUPERSCRIPTS[digit] ?? digit).join(''),
    )
    .replace(/(\w|[⁰-⁹²³¹]) (?=\w)/g, '$1·')
    .replace(/^us$/, 'µs');
}

// 'half_extents' is 'Half extents'.
export function prettyName(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
