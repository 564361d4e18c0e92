// Which curves there are, and how they stand together: one plot for what has one unit.
import type {MeasureName} from '../../model/recorder.js';
import {CONSTRAINT_KINDS} from '../../model/values.js';
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
  {
    id: 'strain',
    title: 'Strain',
    unit: '%',
    doc: 'Relative change of the length of the edges from rest.',
    factor: 100,
    curves: [
      {name: 'strain_max', label: 'Greatest'},
      {name: 'strain_rms', label: 'Mean (RMS)'},
    ],
  },
  {
    id: 'volume',
    title: 'Volume error',
    unit: '%',
    doc: 'Relative difference of the volume of the tetrahedra from rest.',
    factor: 100,
    curves: [
      {name: 'volume_error', label: 'Greatest'},
      {name: 'volume_error_rms', label: 'Mean (RMS)'},
    ],
  },
  {
    id: 'time',
    title: 'Tick time',
    unit: 'ms',
    doc: 'Time that the server takes for a tick.',
    factor: 1e-3,
    curves: [{name: 'tick_us', label: 'Tick'}],
  },
];
