// Ropes and points: one capsule for each edge or particle, drawn as instances of one small geometry. A point is a
// capsule whose ends are one.
import {
  BufferGeometry,
  DynamicDrawUsage,
  Float32BufferAttribute,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  type MeshPhysicalMaterial,
} from 'three';
import type {Fine} from './fine/index.js';
import {capsuleMaterials, CORD, surfaceUniforms, type SurfaceLook, type SurfaceUniforms} from './materials.js';

// A unit sphere, cut at its equator into the two ends: `end` says to which a vertex belongs.
function capsuleGeometry(sides: number, rings: number): BufferGeometry {
  const positions: number[] = [];
  const ends: number[] = [];
  const index: number[] = [];
  for (let ring = 0; ring <= 2 * rings + 1; ring++) {
    const upper = ring > rings;
    const step = upper ? ring - 1 : ring;
    const angle = -Math.PI / 2 + (Math.PI * step) / (2 * rings);
    for (let side = 0; side <= sides; side++) {
      const around = (2 * Math.PI * side) / sides;
      positions.push(Math.cos(angle) * Math.cos(around), Math.sin(angle), Math.cos(angle) * Math.sin(around));
      ends.push(upper ? 1 : 0);
    }
  }
  const stride = sides + 1;
  for (let ring = 0; ring <= 2 * rings; ring++) {
    for (let side = 0; side < sides; side++) {
      const a = ring * stride + side;
      index.push(a, a + stride, a + 1, a + 1, a + stride, a + stride + 1);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(positions, 3));
  geometry.setAttribute('end', new Float32BufferAttribute(ends, 1));
  geometry.setIndex(index);
  return geometry;
}

export class Capsules {
  readonly mesh: Mesh;
  private readonly from: InstancedBufferAttribute;
  private readonly to: InstancedBufferAttribute;
  private readonly geometry: InstancedBufferGeometry;
  private readonly materials;
  private readonly thickness: {value: number};
  private fine: MeshPhysicalMaterial | null = null;

  // Particles of each capsule's ends, in pairs.
  constructor(
    private readonly pairs: Uint32Array,
    radius: number,
    round: boolean,
    private readonly look: SurfaceLook = CORD,
    readonly uniforms: SurfaceUniforms = surfaceUniforms(look),
  ) {
    const count = pairs.length / 2;
    const base = round ? capsuleGeometry(12, 4) : capsuleGeometry(8, 2);
    this.geometry = new InstancedBufferGeometry();
    this.geometry.index = base.index;
    this.geometry.attributes.position = base.attributes.position;
    // Normals of a sphere. Without any, three.js would shade each triangle evenly.
    this.geometry.attributes.normal = base.attributes.position;
    this.geometry.attributes.end = base.attributes.end;
    this.from = new InstancedBufferAttribute(new Float32Array(3 * count), 3).setUsage(
      DynamicDrawUsage,
    ) as InstancedBufferAttribute;
    this.to = new InstancedBufferAttribute(new Float32Array(3 * count), 3).setUsage(
      DynamicDrawUsage,
    ) as InstancedBufferAttribute;
    this.geometry.setAttribute('fromPoint', this.from);
    this.geometry.setAttribute('toPoint', this.to);
    this.geometry.instanceCount = count;
    this.thickness = {value: radius};
    this.materials = capsuleMaterials(look, this.uniforms, this.thickness);
    this.mesh = new Mesh(this.geometry, this.materials.surface);
    this.mesh.customDepthMaterial = this.materials.depth;
    this.mesh.castShadow = true;
    this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
  }

  set radius(radius: number) {
    this.thickness.value = radius;
  }

  get material() {
    return this.materials.surface;
  }

  // Materials at their best, or the plain ones.
  dress(fine: Fine | null): void {
    if (fine && !this.fine) {
      this.fine = fine.surface(this.look, this.uniforms, {patch: this.materials.patch, key: 'capsule'});
      this.fine.color = this.material.color;
    }
    this.mesh.material = (fine && this.fine) ?? this.materials.surface;
  }

  update(positions: Float32Array): void {
    const from = this.from.array;
    const to = this.to.array;
    const {pairs} = this;
    for (let i = 0, at = 0; i < pairs.length; i += 2, at += 3) {
      const a = 3 * pairs[i];
      const b = 3 * pairs[i + 1];
      from[at] = positions[a];
      from[at + 1] = positions[a + 1];
      from[at + 2] = positions[a + 2];
      to[at] = positions[b];
      to[at + 1] = positions[b + 1];
      to[at + 2] = positions[b + 2];
    }
    this.from.needsUpdate = true;
    this.to.needsUpdate = true;
  }

  dispose(): void {
    this.geometry.dispose();
    this.materials.surface.dispose();
    this.materials.depth.dispose();
    this.fine?.dispose();
  }
}
