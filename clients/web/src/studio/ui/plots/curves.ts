// Which curves there are, and how they stand together: one plot for what has one unit.
import {KINDS} from '../../../lib/index.js';
import type {MeasureName} from '../../model/recorder.js';
import {CONSTRAINT_KINDS, type ConstraintKind} from '../../model/values.js';
import {prettyName} from '../forms/units.js';

export interface Curve {
  readonly name: MeasureName;
  readonly label: string;
}

export interface PlotKind {
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  readonly doc: string;
  readonly curves: readonly Curve[];
  // What it shows is multiplied by this.
  readonly factor?: number;
  // The constraints of which this is the error.
  readonly kind?: ConstraintKind;
}

// The error of a kind of constraint, if world.measure tells it.
function errorOf(kind: ConstraintKind): PlotKind[] {
  const {as, unit, error} = KINDS[kind].told;
  if (!error) return [];
  return [
    {
      id: error.name,
      title: prettyName(error.name),
      unit: as === 'relative' ? '%' : unit,
      doc: error.doc,
      factor: as === 'relative' ? 100 : 1,
      curves: [
        {name: error.max as MeasureName, label: 'Greatest'},
        {name: error.rms as MeasureName, label: 'Mean (RMS)'},
      ],
      kind,
    },
  ];
}

export const PLOTS: readonly PlotKind[] = [
  {
    id: 'energy',
    title: 'Energy',
    unit: 'J',
    doc: 'Energy of motion, of height, and stored in each kind of constraint.',
    curves: [
      {name: 'kinetic', label: 'Kinetic'},
      {name: 'potential', label: 'Potential'},
      ...CONSTRAINT_KINDS.map((kind) => ({
        name: `elastic_${kind}` as const,
        label: prettyName(kind === 'distance' ? 'stretch' : kind),
      })),
    ],
  },
  ...CONSTRAINT_KINDS.flatMap(errorOf),
  {
    id: 'time',
    title: 'Tick time',
    unit: 'ms',
    doc: 'Time that the server takes for a tick.',
    factor: 1e-3,
    curves: [{name: 'tick_us', label: 'Tick'}],
  },
];
