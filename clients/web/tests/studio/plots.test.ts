// Plots are saved as a table.
import {describe, expect, it, vi} from 'vitest';

// It asks for a page when it is loaded.
vi.mock('uplot', () => ({default: class {}}));
const {csvOf} = await import('../../src/studio/ui/plots/export.js');

describe('a table of curves', () => {
  it('has a line of names and units, and one for each moment', () => {
    const columns = [
      {label: 'time', unit: 's', values: [0, 0.5]},
      {label: 'Kinetic', unit: 'J', values: Float64Array.of(1.25, 2)},
      {label: 'Contacts', unit: '', values: [3, 4]},
    ];
    expect(csvOf(columns)).toBe('time [s],Kinetic [J],Contacts\r\n0,1.25,3\r\n0.5,2,4\r\n');
  });

  it('leaves a cell empty where there is no number, and quotes what a cell may not have', () => {
    const columns = [
      {label: 'a "sheet", torn', unit: 'm', values: [NaN, 1, Infinity]},
      {label: 'b', unit: '', values: [1]},
    ];
    expect(csvOf(columns)).toBe('"a ""sheet"", torn [m]",b\r\n,1\r\n1,\r\n,\r\n');
  });

  it('of no curves is empty', () => {
    expect(csvOf([])).toBe('\r\n');
  });
});
