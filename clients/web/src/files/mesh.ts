// Meshes as the module reads them from files, and what weft makes of them. Triangles have three vertices each, lines two,
// tetrahedra four.

export interface Soup {
  // x, y, z of each vertex.
  readonly positions: Float64Array;
  // Empty: no faces.
  readonly triangles: Uint32Array;
  readonly lines: Uint32Array;
  // The look of the triangles; absent: they have neither uvs nor materials.
  readonly paint?: SoupPaint;
  // Polygons that stand as fans among the triangles and are still to be cut: of each its first triangle, and its number
  // of corners. Absent: none.
  readonly polygons?: Uint32Array;
}

export interface SoupPaint {
  // u, v of each corner, v upwards; empty: none.
  readonly uvs: Float32Array;
  // A number for each triangle.
  readonly materials: Uint32Array;
}

export interface Welded {
  readonly positions: Float64Array;
  readonly triangles: Uint32Array;
  readonly lines: Uint32Array;
  readonly tets: Uint32Array;
  // As it was given, of the triangles that are left.
  readonly paint?: SoupPaint;
  // How many vertices went into others; how many triangles, lines and tetrahedra collapsed, or were there already.
  readonly merged: number;
  readonly collapsed: number;
  readonly repeated: number;
  // Vertices that nothing uses are left out where there is anything besides vertices.
  readonly unused: number;
  // How many polygons cross themselves, so that their triangles may overlap.
  readonly uncut: number;
}

// A lattice of tetrahedra, and the surface that it carries: of each vertex of it four particles and their weights.
export interface Lattice {
  readonly positions: Float64Array;
  readonly tets: Uint32Array;
  readonly skin: {
    readonly particles: Uint32Array;
    readonly weights: Float32Array;
    readonly triangles: Uint32Array;
  };
  // The look of the skin's triangles, as it was given.
  readonly paint?: SoupPaint;
}

export interface Scene {
  readonly name: string;
  // As `world.open` takes it.
  readonly document: Readonly<Record<string, unknown>>;
}

// How far it is: what is being done, and 0 to 1 of it where that is known.
export type Tell = (doing: string, share: number | null) => void;
