// Fabric as a texture: the height of its threads, and how light each one is. It is worked out here, so that no picture is
// fetched, and tiles without a seam. From farther away its smaller versions are flat, so that nothing flickers.
//
//     plain   each thread goes over one and under the next: cotton, linen
//     twill   over two and under two, one further in each row: denim
//     knit    rows of loops: jersey, wool
//     smooth  threads too fine to be seen: silk, rubber
import {DataTexture, LinearFilter, LinearMipmapLinearFilter, RepeatWrapping, RGFormat, UnsignedByteType} from 'three';
import type {Weave} from '../../model/viewstate.js';

const PIXELS = 512;

interface Kind {
  readonly threads: number;
  // In metres.
  readonly threadWidth: number;
  // The height of the threads above the gaps, as a share of their width.
  readonly depth: number;
  // How much lighter and darker single threads are.
  readonly uneven: number;
  // How high the fabric is at a place, 0 to 1: u across the warp's thread, v along it, in threads.
  height(u: number, v: number): number;
}

const round = (x: number) => Math.sqrt(Math.max(0, 1 - x * x));
const wrap = (x: number) => x - Math.floor(x);

// Threads of both directions, of which `over` says which is above: 1 the warp, 0 the weft, at a crossing.
function crossing(u: number, v: number, over: (warp: number, weft: number) => boolean): number {
  const [column, row] = [Math.floor(u), Math.floor(v)];
  const [x, y] = [2 * wrap(u) - 1, 2 * wrap(v) - 1];
  const warp = 0.75 * round(1.05 * x) * (0.7 + 0.3 * round(0.9 * y));
  const weft = 0.75 * round(1.05 * y) * (0.7 + 0.3 * round(0.9 * x));
  return over(column, row) ? Math.max(warp + 0.25, 0.6 * weft) : Math.max(weft + 0.25, 0.6 * warp);
}

const KINDS: Readonly<Record<Weave, Kind>> = {
  plain: {
    threads: 64,
    threadWidth: 0.0016,
    depth: 0.34,
    uneven: 0.16,
    height: (u, v) => crossing(u, v, (warp, weft) => (warp + weft) % 2 === 0),
  },
  twill: {
    threads: 64,
    threadWidth: 0.0014,
    depth: 0.42,
    uneven: 0.2,
    height: (u, v) => crossing(u, v, (warp, weft) => (warp + weft) % 4 < 2),
  },
  knit: {
    threads: 32,
    threadWidth: 0.0034,
    depth: 0.42,
    uneven: 0.08,
    // Two arms of a V in each loop.
    height: (u, v) => {
      const x = wrap(u) - 0.5;
      const along = wrap(v + 1.1 * Math.abs(x)) - 0.5;
      return 0.9 * round(1.9 * along) * round(3.4 * (Math.abs(x) - 0.25)) + 0.1;
    },
  },
  smooth: {
    threads: 64,
    threadWidth: 0.0008,
    depth: 0.06,
    uneven: 0.05,
    height: (_, v) => 0.5 + 0.5 * round(2 * wrap(v) - 1),
  },
};

// Numbers that look like chance and are the same each time.
function chance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export interface WeaveMap {
  readonly texture: DataTexture;
  // Repeats of the texture for each metre.
  readonly perMetre: number;
  // Metres between the lowest and the highest.
  readonly depth: number;
  // One over the mean shade.
  readonly lighter: number;
}

export function weaveMap(weave: Weave, anisotropy: number): WeaveMap {
  const {threads, threadWidth, depth, uneven, height} = KINDS[weave];
  const next = chance(threads + weave.length);
  const shades = () => Float32Array.from({length: threads}, () => 1 - uneven * next());
  const [warps, wefts] = [shades(), shades()];
  let sum = 0;
  const data = new Uint8Array(2 * PIXELS * PIXELS);
  for (let y = 0, at = 0; y < PIXELS; y++) {
    const v = ((y + 0.5) * threads) / PIXELS;
    for (let x = 0; x < PIXELS; x++, at += 2) {
      const u = ((x + 0.5) * threads) / PIXELS;
      const high = Math.min(1, height(u, v));
      // Gaps are in the dark.
      const shade = 0.5 * (warps[Math.floor(u)] + wefts[Math.floor(v)]) * (0.72 + 0.28 * high) + 0.03 * (next() - 0.5);
      data[at] = Math.round(255 * high);
      data[at + 1] = Math.round(255 * Math.min(1, Math.max(0, shade)));
      sum += shade;
    }
  }
  const texture = new DataTexture(data, PIXELS, PIXELS, RGFormat, UnsignedByteType);
  texture.wrapS = texture.wrapT = RepeatWrapping;
  texture.magFilter = LinearFilter;
  texture.minFilter = LinearMipmapLinearFilter;
  texture.generateMipmaps = true;
  texture.anisotropy = anisotropy;
  texture.needsUpdate = true;
  return {
    texture,
    perMetre: 1 / (threads * threadWidth),
    depth: depth * threadWidth,
    lighter: (PIXELS * PIXELS) / sum,
  };
}
