// One body in the scene: positions of its particles as they are drawn, and what is made of them.
//
// Positions are written into `positions` (by particle), then `refresh` brings the geometry up to date. A cloth's
// position attribute is that very array.
import {BufferAttribute, Color, DynamicDrawUsage, Group, type DataArrayTexture, type Matrix4} from 'three';
import type {Body, Skin, Topology} from '../model/values.js';
import type {Aside} from './aside.js';
import type {OwnLook, Weave} from '../model/viewstate.js';
import {Capsules} from './capsules.js';
import {skinSurface} from './carried.js';
import {dressOf} from './dressed.js';
import type {Fine} from './fine/index.js';
import {CLOTH, CORD, JELLY, PIECE, surfaceUniforms, type SurfaceUniforms} from './materials.js';
import {boxOf, emptyBox, type Box} from './pick.js';
import {pieceSurface} from './pieces.js';
import {Sheet, Wires} from './sheet.js';
import {clothSurface, hem, outerFaces, softSurface, uniqueEdges} from './surface.js';
import {densityOf, weaveOf} from './woven.js';
import {backColor, bodyColor, calmColor, type SceneTheme} from './theme.js';

const ROPE_RADIUS_OF_EDGE = 0.16;
const RADIUS_MIN = 0.004;
const RADIUS_MAX = 0.05;
// Half of what a cloth's edge is drawn as, in metres. A thickness is how far cloths keep apart, which is more than they are
// thick.
const RIM_OF_THICKNESS = 0.25;
const RIM_MIN = 0.0008;
const RIM_MAX = 0.0035;
const LATTICE_OPACITY = 0.55;
const RIM = {...CORD, sheen: CLOTH.sheen, roughness: CLOTH.roughness};

function meanEdge(rest: Float64Array, edges: Uint32Array): number {
  let sum = 0;
  for (let e = 0; e < edges.length; e += 2) {
    const a = 3 * edges[e];
    const b = 3 * edges[e + 1];
    sum += Math.hypot(rest[a] - rest[b], rest[a + 1] - rest[b + 1], rest[a + 2] - rest[b + 2]);
  }
  return edges.length > 0 ? (2 * sum) / edges.length : 0.1;
}

export class BodyView {
  readonly object = new Group();
  readonly positions: Float32Array;
  readonly id: number;
  // Particles of each line of a rope, in pairs; null for others.
  readonly edges: Uint32Array | null;
  // null for ropes and points that carry no skin.
  readonly sheet: Sheet | null = null;
  readonly hasSkin: boolean;
  // Bytes of the images that it is to show; empty: none.
  readonly images: readonly number[] = [];
  // Whether the colours and images of its mesh can be shown.
  private dressed = false;
  // Quaternions of the pieces of a rigid body, as they are drawn; null for others.
  readonly turns: Float32Array | null = null;
  private readonly cords: Capsules | null = null;
  private readonly uniforms: SurfaceUniforms;
  private hemEdges: Uint32Array | null = null;
  private readonly box: Box = emptyBox();
  private boxFresh = false;
  // The density of a cloth in kg/m², once it was asked for.
  private density: number | null = null;
  // The edge of a cloth as it is seen near by, as thick as the cloth.
  private rim: Capsules | null = null;
  private wired = false;
  private lattice: Wires | null = null;
  private latticePositions: BufferAttribute | null = null;
  // Of a rope or point without thickness.
  private readonly natural: number = 0;

  // The topology must be there.
  constructor(
    public body: Body,
    public topology: Topology,
    aside: Aside,
  ) {
    this.id = body.body;
    this.positions = new Float32Array(topology.rest);
    const {kind, particles} = body;
    const skin = topology.skin && skinSurface(topology.skin, topology.rest);
    this.hasSkin = skin !== null;
    const pieces = !skin && kind === 'rigid' && body.rigid ? pieceSurface(body.rigid, particles) : null;
    if (pieces) {
      this.uniforms = surfaceUniforms(PIECE);
      this.turns = pieces.pieces.turns;
      this.sheet = new Sheet(pieces, this.positions, this.uniforms, PIECE, aside);
      this.object.add(this.sheet.mesh);
      this.edges = null;
    } else if (skin || kind === 'cloth' || kind === 'soft') {
      const plain =
        skin ??
        (kind === 'cloth'
          ? clothSurface(topology.triangles, particles)
          : softSurface(topology.tets, topology.rest));
      const ofMesh = skin !== null || kind === 'cloth' ? topology.look : undefined;
      const dress = ofMesh ? dressOf(plain, ofMesh) : null;
      const surface = {...plain, dress};
      this.images = dress && ofMesh ? ofMesh.images : [];
      this.dressed = dress !== null && this.images.length === 0;
      const ofSkin = skin && {...JELLY, doubleSided: isOpen(topology.skin!)};
      const look = ofSkin ?? (kind === 'cloth' ? CLOTH : JELLY);
      this.uniforms = surfaceUniforms(look);
      this.sheet = new Sheet(surface, this.positions, this.uniforms, look, aside, look === CLOTH ? topology.rest : null);
      this.object.add(this.sheet.mesh);
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
    if (this.rim) {
      this.rim.radius = this.rimRadius;
    }
  }

  private get rimRadius(): number {
    return Math.min(RIM_MAX, Math.max(RIM_MIN, RIM_OF_THICKNESS * this.body.thickness));
  }

  private get radius(): number {
    return Math.min(RADIUS_MAX, Math.max(RADIUS_MIN, this.body.thickness, this.natural));
  }

  // Particles of the lines that go round an open surface, in pairs; a skin has none.
  get hem(): Uint32Array {
    const {triangles} = this.topology;
    this.hemEdges ??= hem(this.hasSkin ? new Uint32Array(0) : triangles);
    return this.hemEdges;
  }

  // Draws it elsewhere than it is, until the server has it there; null where it is.
  carry(matrix: Matrix4 | null): void {
    this.object.matrixAutoUpdate = false;
    if (matrix) {
      this.object.matrix.copy(matrix);
    } else {
      this.object.matrix.identity();
    }
    this.object.matrixWorldNeedsUpdate = true;
  }

  // Whether the pointer goes through it.
  passed = false;

  // Nobody sees it on this page, so nothing can be taken there.
  get hidden(): boolean {
    return !this.object.visible;
  }

  get triangleCount(): number {
    return this.sheet ? this.sheet.corners.length / 3 : 0;
  }

  // Of what is drawn.
  get bounds(): Box {
    if (!this.boxFresh) {
      boxOf(this.sheet?.vertices ?? this.positions, this.box);
      this.boxFresh = true;
    }
    return this.box;
  }

  refresh(): void {
    this.boxFresh = false;
    this.sheet?.refresh();
    if (this.rim?.mesh.visible) {
      this.rim.update(this.positions);
    }
    this.cords?.update(this.positions);
    if (this.latticePositions) {
      this.latticePositions.needsUpdate = true;
    }
  }

  // Plain bodies leave the colours to what is drawn on them.
  paint({theme, plain, filled, own, sleeping, fine}: Paint): void {
    const {color} = this.sheet?.material ?? this.cords!.material;
    const look = own.get(`body:${this.id}`);
    const awake = look?.color ? new Color(look.color) : bodyColor(theme, this.id);
    const front = sleeping.has(this.id) ? calmColor(theme, awake) : awake;
    color.copy(plain ? theme.plain : front);
    this.uniforms.back.value.copy(plain ? theme.plain : backColor(theme, front));
    this.uniforms.dressed.value = this.dressed && !plain && !look?.color ? 1 : 0;
    this.object.visible = look?.hidden !== true;
    this.passed = this.hidden || look?.locked === true;
    this.dress(plain ? null : fine, filled, look?.weave);
    if (this.sheet) {
      this.sheet.filled = filled;
    }
    if (this.wired) {
      this.sheet?.wires.paint(theme.wire);
    }
    this.lattice?.paint(theme.accent);
  }

  // Shows the images of its mesh; paint() has to see to it. The texture stays the caller's.
  wear(images: DataArrayTexture): void {
    this.uniforms.images.value = images;
    this.dressed = true;
  }

  // Colours that mean something have the plain light.
  private dress(fine: Fine | null, filled: boolean, weave: Weave | undefined): void {
    if (fine && this.body.kind === 'cloth' && !this.hasSkin) {
      this.density ??= densityOf(this.topology);
      fine.weave(this.uniforms, weave ?? weaveOf(this.body, this.density));
    }
    this.sheet?.dress(fine);
    this.cords?.dress(fine);
    if (fine && this.sheet && this.body.kind === 'cloth' && !this.rim && this.hem.length > 0) {
      this.rim = new Capsules(this.hem, this.rimRadius, false, RIM, this.uniforms);
      this.object.add(this.rim.mesh);
    }
    if (this.rim) {
      const shown = fine !== null && filled;
      if (shown && !this.rim.mesh.visible) {
        this.rim.update(this.positions);
      }
      this.rim.mesh.visible = shown;
      this.rim.material.color.copy(this.sheet!.material.color);
      this.rim.dress(fine);
    }
  }

  glow(color: Color | null, strength: number): void {
    if (color) {
      this.uniforms.glow.value.copy(color).multiplyScalar(strength);
    } else {
      this.uniforms.glow.value.set(0, 0, 0);
    }
  }

  // Lines along the surface's triangles, and along those of what carries a skin. True if something changed that
  // paint() has to see to.
  showLines({wireframe, lattice}: ShownLines): boolean {
    let changed = false;
    if (this.sheet && wireframe !== this.wired) {
      this.wired = wireframe;
      if (wireframe) {
        this.object.add(this.sheet.wires.lines);
      } else {
        this.object.remove(this.sheet.wires.lines);
      }
      changed = wireframe;
    }
    if (this.hasSkin && lattice !== (this.lattice !== null)) {
      if (this.lattice) {
        this.object.remove(this.lattice.lines);
        this.lattice.dispose();
        this.lattice = this.latticePositions = null;
      } else {
        this.latticePositions = new BufferAttribute(this.positions, 3).setUsage(DynamicDrawUsage);
        this.lattice = new Wires(this.latticePositions, latticeEdges(this.topology), LATTICE_OPACITY);
        this.object.add(this.lattice.lines);
        changed = true;
      }
    }
    return changed;
  }

  dispose(): void {
    this.sheet?.dispose();
    this.cords?.dispose();
    this.rim?.dispose();
    this.lattice?.dispose();
  }
}

export interface ShownLines {
  readonly wireframe: boolean;
  readonly lattice: boolean;
}

export interface Paint {
  readonly theme: SceneTheme;
  readonly plain: boolean;
  readonly filled: boolean;
  // Of this page alone.
  readonly own: ReadonlyMap<string, OwnLook>;
  // Bodies that sleep.
  readonly sleeping: ReadonlySet<number>;
  // null where materials are plain.
  readonly fine: Fine | null;
}

function isOpen({triangles}: Skin): boolean {
  return hem(triangles).length > 0;
}

// Sides of what carries a skin, as far as they are seen from outside.
function latticeEdges({tets, triangles, edges, rest}: Topology): Uint32Array {
  const faces = tets.length > 0 ? outerFaces(tets, rest) : triangles;
  return faces.length > 0 ? uniqueEdges(faces, 3) : edges;
}
