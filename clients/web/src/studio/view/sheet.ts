// The triangles of a cloth, of a soft body's outside, or of its skin: vertices that follow the particles, smooth
// normals, and lines along the triangles' sides where they are asked for.
import {
  BufferAttribute,
  BufferGeometry,
  DynamicDrawUsage,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  type Color,
  type MeshLambertMaterial,
  type MeshPhysicalMaterial,
} from 'three';
import type {Vec3} from '../model/values.js';
import {ASIDE_TRIANGLES, type Aside, type Listener} from './aside.js';
import {carry, nearestCarrier} from './carried.js';
import {copyOver} from './dressed.js';
import type {Fine} from './fine/index.js';
import {surfaceMaterial, type SurfaceLook, type SurfaceUniforms} from './materials.js';
import {smoothNormals} from './normals.js';
import {placePieces} from './pieces.js';
import {uniqueEdges, type Dress, type Surface} from './surface.js';

function dynamic(array: Float32Array): BufferAttribute {
  const attribute = new BufferAttribute(array, 3);
  attribute.setUsage(DynamicDrawUsage);
  return attribute;
}

export function indexOf(corners: Uint32Array, vertices: number): BufferAttribute {
  return new BufferAttribute(vertices <= 65536 ? Uint16Array.from(corners) : corners, 1);
}

// Thin lines between vertices that another geometry has.
export class Wires {
  readonly lines: LineSegments<BufferGeometry, LineBasicMaterial>;

  constructor(position: BufferAttribute, edges: Uint32Array, opacity: number) {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', position);
    geometry.setIndex(indexOf(edges, position.count));
    this.lines = new LineSegments(
      geometry,
      new LineBasicMaterial({transparent: true, opacity, depthWrite: false}),
    );
    this.lines.frustumCulled = false;
  }

  paint(color: Color): void {
    this.lines.material.color.copy(color);
  }

  dispose(): void {
    this.lines.geometry.dispose();
    this.lines.material.dispose();
  }
}

// While something moves on a machine that is slow, while nothing does, and where all can be drawn.
export type Detail = 'coarse' | 'medium' | 'fine';
// What is larger waits for fewer triangles on a machine that is slow.
const PENDING_TRIANGLES = 500_000;
const DETAILS: readonly Detail[] = ['coarse', 'medium', 'fine'];

export class Sheet implements Listener {
  readonly geometry = new BufferGeometry();
  readonly mesh: Mesh;
  readonly material: MeshLambertMaterial;
  // Corners, as vertices.
  readonly corners: Uint32Array;
  // x, y, z of each, as drawn. Those of a cloth are its particles.
  readonly vertices: Float32Array;
  private readonly position: BufferAttribute;
  private readonly normal: BufferAttribute;
  // Copies of vertices lie behind all vertices; null: there are none.
  private readonly worn: Dress | null;
  // Vertices and copies.
  private readonly count: number;
  private made: Wires | null = null;
  private tints: Uint32Array | null = null;
  // Whether its triangles are drawn at all.
  filled = true;
  // Where its normals are worked out aside.
  private asked: number | null = null;
  private fine: MeshPhysicalMaterial | null = null;
  // Fewer triangles are being looked for.
  private pending = false;
  // By how much of it is drawn; null where there is none of that.
  private readonly indices: (BufferAttribute | null)[];

  constructor(
    private readonly surface: Surface,
    private readonly positions: Float32Array,
    private readonly uniforms: SurfaceUniforms,
    private readonly look: SurfaceLook,
    private readonly aside: Aside,
    // One value for each particle of a fabric.
    private readonly rest: Float64Array | null = null,
  ) {
    const {particleOf, carrier, vertexCount, dress = null} = surface;
    this.worn = dress;
    this.count = vertexCount + (dress?.copies.length ?? 0);
    this.vertices = particleOf || carrier || this.count > vertexCount ? new Float32Array(3 * this.count) : positions;
    this.position = dynamic(this.vertices);
    this.normal = dynamic(new Float32Array(this.vertices.length));
    this.corners = surface.triangles;
    this.geometry.setAttribute('position', this.position);
    this.geometry.setAttribute('normal', this.normal);
    this.geometry.setIndex(indexOf(dress?.corners ?? this.corners, this.count));
    this.material = surfaceMaterial(look, uniforms);
    if (dress) {
      this.geometry.setAttribute('place', new BufferAttribute(dress.places, 3));
      this.geometry.setAttribute('shade', new BufferAttribute(dress.shades, 3));
      this.material.defines = {DRESSED: ''};
    }
    this.mesh = new Mesh(this.geometry, this.material);
    this.mesh.castShadow = true;
    this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
    this.indices = [null, null, this.geometry.index!];
  }

  // Colours of its vertices by their particles, as packed() has them; null: that of its body. A skin keeps its own.
  tint(colorOf: ((particle: number) => number) | null): void {
    const {particleOf, carrier} = this.surface;
    this.uniforms.tinted.value = colorOf && !carrier ? 1 : 0;
    if (!colorOf || carrier) {
      return;
    }
    if (!this.tints) {
      this.tints = new Uint32Array(this.count);
      const attribute = new BufferAttribute(new Uint8Array(this.tints.buffer), 4, true);
      this.geometry.setAttribute('tint', attribute.setUsage(DynamicDrawUsage));
    }
    for (let i = 0; i < this.count; i++) {
      const vertex = this.vertexOf(i);
      this.tints[i] = colorOf(particleOf ? particleOf[vertex] : vertex);
    }
    this.geometry.attributes.tint.needsUpdate = true;
  }

  // Materials at their best, or the plain ones.
  dress(fine: Fine | null): void {
    if (fine && !this.fine) {
      this.fine = fine.surface(this.look, this.uniforms, {fabric: this.rest !== null});
      this.fine.color = this.material.color;
      if (this.worn) {
        this.fine.defines!.DRESSED = '';
      }
      if (this.rest) {
        const rest = new Float32Array(3 * this.count);
        rest.set(this.rest);
        this.copy(rest);
        this.geometry.setAttribute('rest', new BufferAttribute(rest, 3));
      }
    }
    this.mesh.material = (fine && this.fine) ?? this.material;
  }

  // How much of it is drawn, where there is a choice.
  set detail(detail: Detail) {
    // To draw all of it meanwhile would hold up everything.
    this.mesh.visible = this.filled && (detail === 'fine' || !this.pending);
    const from = DETAILS.indexOf(detail);
    const index = this.indices.find((one, i) => i >= from && one !== null);
    if (index && this.geometry.index !== index) {
      this.geometry.setIndex(index);
    }
  }

  refresh(): void {
    const {positions, vertices} = this;
    const {particleOf, carrier, pieces} = this.surface;
    if (pieces && particleOf) {
      placePieces(pieces, particleOf, positions, vertices);
    } else if (carrier) {
      carry(carrier, positions, vertices);
    } else if (particleOf) {
      for (let i = 0; i < particleOf.length; i++) {
        const from = 3 * particleOf[i];
        vertices[3 * i] = positions[from];
        vertices[3 * i + 1] = positions[from + 1];
        vertices[3 * i + 2] = positions[from + 2];
      }
    } else if (vertices !== positions) {
      vertices.set(positions);
    }
    this.copy(vertices);
    this.position.needsUpdate = true;
    // The first ones are not waited for: there would be nothing to see.
    if (this.asked !== null) {
      this.aside.ask(this.asked);
      return;
    }
    smoothNormals(vertices, this.corners, this.normal.array as Float32Array);
    this.copy(this.normal.array as Float32Array);
    this.normal.needsUpdate = true;
    if (this.corners.length > 3 * ASIDE_TRIANGLES) {
      this.asked = this.aside.add(this.corners, vertices, this);
      this.pending = this.asked !== null && this.corners.length > 3 * PENDING_TRIANGLES;
    }
  }

  normals(normals: Float32Array): Float32Array {
    const before = this.normal.array as Float32Array;
    this.copy(normals);
    this.normal.array = normals;
    this.normal.needsUpdate = true;
    return before;
  }

  coarser(corners: readonly (Uint32Array | undefined)[]): void {
    this.pending = false;
    corners.forEach((some, i) => {
      this.indices[i] = some ? indexOf(some, this.count) : null;
    });
  }

  // The particle that a vertex belongs to; of those that carry one, the nearest to a point.
  particleAt(drawn: number, point: Vec3): number {
    const {particleOf, carrier} = this.surface;
    const vertex = this.vertexOf(drawn);
    return carrier
      ? nearestCarrier(carrier, vertex, this.positions, point)
      : particleOf
        ? particleOf[vertex]
        : vertex;
  }

  private vertexOf(drawn: number): number {
    const {vertexCount} = this.surface;
    return drawn < vertexCount ? drawn : (this.worn?.copies[drawn - vertexCount] ?? 0);
  }

  private copy(values: Float32Array): void {
    if (this.worn) {
      copyOver(this.worn, this.surface.vertexCount, values);
    }
  }

  // Lines along the triangles' sides.
  get wires(): Wires {
    this.made ??= new Wires(this.position, uniqueEdges(this.corners, 3), 0.34);
    return this.made;
  }

  dispose(): void {
    if (this.asked !== null) {
      this.aside.remove(this.asked);
    }
    this.geometry.dispose();
    this.material.dispose();
    this.fine?.dispose();
    this.made?.dispose();
  }
}
