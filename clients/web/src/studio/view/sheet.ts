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
} from 'three';
import type {Vec3} from '../model/values.js';
import {carry, nearestCarrier} from './carried.js';
import {surfaceMaterial, type SurfaceLook, type SurfaceUniforms} from './materials.js';
import {smoothNormals} from './normals.js';
import {uniqueEdges, type Surface} from './surface.js';

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

export class Sheet {
  readonly geometry = new BufferGeometry();
  readonly mesh: Mesh;
  readonly material: MeshLambertMaterial;
  // Corners, as vertices.
  readonly corners: Uint32Array;
  // x, y, z of each, as drawn. Those of a cloth are its particles.
  readonly vertices: Float32Array;
  private readonly position: BufferAttribute;
  private readonly normal: BufferAttribute;
  private made: Wires | null = null;

  constructor(
    private readonly surface: Surface,
    private readonly positions: Float32Array,
    uniforms: SurfaceUniforms,
    look: SurfaceLook,
  ) {
    const {particleOf, carrier, vertexCount} = surface;
    this.vertices = particleOf || carrier ? new Float32Array(3 * vertexCount) : positions;
    this.position = dynamic(this.vertices);
    this.normal = dynamic(new Float32Array(this.vertices.length));
    this.corners = surface.triangles;
    this.geometry.setAttribute('position', this.position);
    this.geometry.setAttribute('normal', this.normal);
    this.geometry.setIndex(indexOf(this.corners, vertexCount));
    this.material = surfaceMaterial(look, uniforms);
    this.mesh = new Mesh(this.geometry, this.material);
    this.mesh.castShadow = true;
    this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
  }

  refresh(): void {
    const {positions, vertices} = this;
    const {particleOf, carrier} = this.surface;
    if (carrier) {
      carry(carrier, positions, vertices);
    } else if (particleOf) {
      for (let i = 0; i < particleOf.length; i++) {
        const from = 3 * particleOf[i];
        vertices[3 * i] = positions[from];
        vertices[3 * i + 1] = positions[from + 1];
        vertices[3 * i + 2] = positions[from + 2];
      }
    }
    smoothNormals(vertices, this.corners, this.normal.array as Float32Array);
    this.position.needsUpdate = true;
    this.normal.needsUpdate = true;
  }

  // The particle that a vertex belongs to; of those that carry one, the nearest to a point.
  particleAt(vertex: number, point: Vec3): number {
    const {particleOf, carrier} = this.surface;
    return carrier
      ? nearestCarrier(carrier, vertex, this.positions, point)
      : particleOf
        ? particleOf[vertex]
        : vertex;
  }

  // Lines along the triangles' sides.
  get wires(): Wires {
    const {corners, surface} = this;
    this.made ??= new Wires(this.position, uniqueEdges(corners, 3, surface.vertexCount), 0.34);
    return this.made;
  }

  dispose(): void {
    this.geometry.dispose();
    this.material.dispose();
    this.made?.dispose();
  }
}
