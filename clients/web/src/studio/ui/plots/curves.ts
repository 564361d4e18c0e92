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
    doc: 'Of motion, of height, and what the constraints of each kind have stored.',
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
    doc: 'How much longer or shorter than at rest the edges are.',
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
    doc: 'How far the tetrahedra are from their volume at rest.',
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
    doc: 'What a tick costs the server.',
    factor: 1e-3,
    curves: [{name: 'tick_us', label: 'Tick'}],
  },
];
