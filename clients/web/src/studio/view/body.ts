// One body in the scene: positions of its particles as they are drawn, and what is made of them.
//
// Positions are written into `positions` (by particle), then `refresh` brings the geometry up to date. A cloth's
// position attribute is that very array.
import {
  BufferAttribute,
  BufferGeometry,
  DynamicDrawUsage,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  type Color,
  type MeshLambertMaterial,
} from 'three';
import type {Body, Topology} from '../model/values.js';
import {Capsules} from './capsules.js';
import {CLOTH, JELLY, surfaceMaterial, surfaceUniforms, type SurfaceUniforms} from './materials.js';
import {smoothNormals} from './normals.js';
import {boxOf, emptyBox, type Box} from './pick.js';
import {clothSurface, hem, softSurface, uniqueEdges, type Surface} from './surface.js';
import {backColor, bodyColor, type SceneTheme} from './theme.js';

const ROPE_RADIUS_OF_EDGE = 0.16;
const RADIUS_MIN = 0.004;
const RADIUS_MAX = 0.05;

function dynamic(array: Float32Array): BufferAttribute {
  const attribute = new BufferAttribute(array, 3);
  attribute.setUsage(DynamicDrawUsage);
  return attribute;
}

function indexOf(corners: Uint32Array, vertices: number): BufferAttribute {
  return new BufferAttribute(vertices <= 65536 ? Uint16Array.from(corners) : corners, 1);
}

function meanEdge(rest: Float64Array, edges: Uint32Array): number {
  let sum = 0;
  for (let e = 0; e < edges.length; e += 2) {
    const a = 3 * edges[e];
    const b = 3 * edges[e + 1];
    sum += Math.hypot(rest[a] - rest[b], rest[a + 1] - rest[b + 1], rest[a + 2] - rest[b + 2]);
  }
  return edges.length > 0 ? (2 * sum) / edges.length : 0.1;
}

// Triangles of a cloth or soft body.
class Skin {
  readonly geometry = new BufferGeometry();
  readonly mesh: Mesh;
  readonly material: MeshLambertMaterial;
  readonly corners: Uint32Array;
  // Corners as particles, for picking.
  readonly triangles: Uint32Array;
  private readonly vertices: Float32Array;
  private readonly position: BufferAttribute;
  private readonly normal: BufferAttribute;
  private wires: LineSegments | null = null;

  constructor(
    private readonly surface: Surface,
    positions: Float32Array,
    uniforms: SurfaceUniforms,
    cloth: boolean,
  ) {
    const {particleOf} = surface;
    this.vertices = particleOf ? new Float32Array(3 * surface.vertexCount) : positions;
    this.position = dynamic(this.vertices);
    this.normal = dynamic(new Float32Array(this.vertices.length));
    this.corners = surface.triangles;
    this.triangles = particleOf ? this.corners.map((vertex) => particleOf[vertex]) : this.corners;
    this.geometry.setAttribute('position', this.position);
    this.geometry.setAttribute('normal', this.normal);
    this.geometry.setIndex(indexOf(this.corners, surface.vertexCount));
    this.material = surfaceMaterial(cloth ? CLOTH : JELLY, uniforms);
    this.mesh = new Mesh(this.geometry, this.material);
    this.mesh.castShadow = true;
    this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
  }

  refresh(positions: Float32Array): void {
    const {particleOf} = this.surface;
    if (particleOf) {
      const {vertices} = this;
      for (let i = 0; i < particleOf.length; i++) {
        const from = 3 * particleOf[i];
        vertices[3 * i] = positions[from];
        vertices[3 * i + 1] = positions[from + 1];
        vertices[3 * i + 2] = positions[from + 2];
      }
    }
    smoothNormals(this.vertices, this.corners, this.normal.array as Float32Array);
    this.position.needsUpdate = true;
    this.normal.needsUpdate = true;
  }

  // Lines along the triangles' sides.
  wireframe(): LineSegments {
    if (!this.wires) {
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', this.position);
      const edges = uniqueEdges(this.corners, 3, this.surface.vertexCount);
      geometry.setIndex(indexOf(edges, this.surface.vertexCount));
      this.wires = new LineSegments(
        geometry,
        new LineBasicMaterial({transparent: true, opacity: 0.34, depthWrite: false}),
      );
      this.wires.frustumCulled = false;
    }
    return this.wires;
  }

  dispose(): void {
    this.geometry.dispose();
    this.material.dispose();
    if (this.wires) {
      this.wires.geometry.dispose();
      (this.wires.material as LineBasicMaterial).dispose();
    }
  }
}

export class BodyView {
  readonly object = new Group();
  readonly positions: Float32Array;
  readonly id: number;
  // Particles of each line of a rope, in pairs; null for others.
  readonly edges: Uint32Array | null;
  private readonly skin: Skin | null = null;
  private readonly cords: Capsules | null = null;
  private readonly uniforms: SurfaceUniforms;
  private hemEdges: Uint32Array | null = null;
  private readonly box: Box = emptyBox();
  private boxFresh = false;
  private wired = false;
  // Of a rope or point without thickness.
  private readonly natural: number = 0;

  // The topology must be there.
  constructor(
    public body: Body,
    public topology: Topology,
  ) {
    this.id = body.body;
    this.positions = Float32Array.from(topology.rest);
    const {kind, particles} = body;
    if (kind === 'cloth' || kind === 'soft') {
      const surface =
        kind === 'cloth'
          ? clothSurface(topology.triangles, particles)
          : softSurface(topology.tets, topology.rest);
      this.uniforms = surfaceUniforms(kind === 'cloth' ? CLOTH : JELLY);
      this.skin = new Skin(surface, this.positions, this.uniforms, kind === 'cloth');
      this.object.add(this.skin.mesh);
      this.edges = null;
    } else {
      const {edges} = topology;
      const points = kind === 'points' || edges.length === 0;
      const pairs = points ? Uint32Array.from({length: 2 * particles}, (_, i) => i >> 1) : edges;
      this.natural = points ? 0.015 : ROPE_RADIUS_OF_EDGE * meanEdge(topology.rest, edges);
      this.cords = new Capsules(pairs, this.radius, points);
      this.uniforms = this.cords.uniforms;
      this.object.add(this.cords.mesh);
      this.edges = points ? null : edges;
    }
    this.refresh();
  }

  // The body as it is now; its topology is the same, whoever told it.
  update(body: Body): void {
    this.body = body;
    this.topology = body.topology ?? this.topology;
    if (this.cords) {
      this.cords.radius = this.radius;
    }
  }

  private get radius(): number {
    return Math.min(RADIUS_MAX, Math.max(RADIUS_MIN, this.body.thickness, this.natural));
  }

  // Corners as particles; null for ropes and points.
  get triangles(): Uint32Array | null {
    return this.skin?.triangles ?? null;
  }

  // Particles of the lines that go round an open surface, in pairs.
  get hem(): Uint32Array {
    this.hemEdges ??= hem(this.triangles ?? new Uint32Array(0), this.body.particles);
    return this.hemEdges;
  }

  get triangleCount(): number {
    return this.skin ? this.skin.corners.length / 3 : 0;
  }

  // Of the positions as they are drawn.
  get bounds(): Box {
    if (!this.boxFresh) {
      boxOf(this.positions, this.box);
      this.boxFresh = true;
    }
    return this.box;
  }

  refresh(): void {
    this.boxFresh = false;
    this.skin?.refresh(this.positions);
    this.cords?.update(this.positions);
  }

  paint(theme: SceneTheme): void {
    const front = bodyColor(theme, this.id);
    (this.skin?.material ?? this.cords!.material).color.copy(front);
    this.uniforms.back.value.copy(backColor(theme, this.id));
    if (this.skin && this.wired) {
      (this.skin.wireframe().material as LineBasicMaterial).color.copy(theme.wire);
    }
  }

  glow(color: Color | null, strength: number): void {
    if (color) {
      this.uniforms.glow.value.copy(color).multiplyScalar(strength);
    } else {
      this.uniforms.glow.value.set(0, 0, 0);
    }
  }

  // True if something changed that paint() has to see to.
  showWireframe(on: boolean): boolean {
    if (!this.skin || on === this.wired) {
      return false;
    }
    this.wired = on;
    if (on) {
      this.object.add(this.skin.wireframe());
    } else {
      this.object.remove(this.skin.wireframe());
    }
    return on;
  }

  dispose(): void {
    this.skin?.dispose();
    this.cords?.dispose();
  }
}
