// The soft body that a mesh becomes: its own tetrahedra, or a lattice that fills it, made aside. In the file's own units.
import {useEffect, useMemo, useState} from 'preact/hooks';

import type {Lattice} from '../../../files/index.js';
import {aside} from './aside.js';
import type {FileMesh} from './read.js';
import type {Progress} from './reading.js';

export interface SolidBody {
  readonly positions: Float64Array;
  readonly tets: Uint32Array;
  readonly skin?: Lattice['skin'];
  readonly paint?: Lattice['paint'];
}

export interface Solid {
  // While another is made it is the last one.
  readonly body?: SolidBody;
  // The cells that were asked for it.
  readonly cells?: number;
  // Why there is none.
  readonly refusal?: string;
  // Being made; `doing` says how far.
  readonly busy: boolean;
  readonly doing: Progress | null;
}

interface Filled {
  readonly mesh: FileMesh;
  readonly cells: number;
  readonly body?: SolidBody;
  readonly refusal?: string;
}

// A number that is being dragged or typed is not filled at each step.
const SETTLED_MS = 150;

export function useSolid(mesh: FileMesh, wanted: boolean, cells: number): Solid | null {
  const [last, setLast] = useState<Filled | null>(null);
  const [doing, setDoing] = useState<Progress | null>(null);
  const filled = last?.mesh === mesh ? last : null;
  const busy = wanted && !mesh.tets && filled?.cells !== cells;
  useEffect(() => {
    if (!busy) return undefined;
    let stop = () => undefined as void;
    const begin = () => {
      const {positions, triangles, paint} = mesh;
      stop = aside(
        'fill',
        {positions, triangles, cells, ...(paint && {paint})},
        {
          tell: (what, share) => setDoing({doing: what, share}),
          done: (body) => setLast({mesh, cells, body}),
          failed: (refusal) => setLast({mesh, cells, refusal}),
        },
      );
    };
    const timer = setTimeout(begin, filled ? SETTLED_MS : 0);
    return () => {
      clearTimeout(timer);
      stop();
      setDoing(null);
    };
  }, [busy, mesh, cells]);
  // One object for as long as the mesh is the same: who looks for a new filling finds none in each picture.
  const given = useMemo(() => mesh.tets && {positions: mesh.positions, tets: mesh.tets}, [mesh]);
  if (!wanted) return null;
  if (given) return {body: given, busy: false, doing: null};
  return {...filled, busy, doing};
}
