// A shape that is not in the world yet: a mesh before it is added, where it would stand. Translucent, in nobody's way.
import {effect} from '@preact/signals';
import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  Points,
  PointsMaterial,
} from 'three';
import type {ViewState} from '../model/viewstate.js';

const COLOR = 0x5b78f0;
// Meshes of more triangles show their edges too closely to be of use.
const EDGES_MAX = 20_000;

export class Ghost {
  readonly object = new Group();
  private readonly surface = new MeshLambertMaterial({color: COLOR, transparent: true, opacity: 0.55, side: DoubleSide, flatShading: true, depthWrite: false});
  private readonly edges = new MeshBasicMaterial({color: COLOR, wireframe: true, transparent: true, opacity: 0.35});
  private readonly threads = new LineBasicMaterial({color: COLOR});
  private readonly dots = new PointsMaterial({color: COLOR, size: 5, sizeAttenuation: false});
  private geometry: BufferGeometry | null = null;
  private readonly off: () => void;

  constructor(viewState: ViewState, changed: () => void) {
    this.off = effect(() => {
      const preview = viewState.preview.value;
      this.clear();
      if (preview) {
        const {positions, triangles, lines} = preview;
        const geometry = new BufferGeometry();
        geometry.setAttribute('position', new BufferAttribute(Float32Array.from(positions), 3));
        this.geometry = geometry;
        if (triangles.length > 0) {
          geometry.setIndex(new BufferAttribute(triangles, 1));
          this.object.add(new Mesh(geometry, this.surface));
          if (triangles.length / 3 <= EDGES_MAX) {
            this.object.add(new Mesh(geometry, this.edges));
          }
        } else if (lines.length > 0) {
          geometry.setIndex(new BufferAttribute(lines, 1));
          this.object.add(new LineSegments(geometry, this.threads));
        } else {
          this.object.add(new Points(geometry, this.dots));
        }
        this.object.children.forEach((child) => {
          child.raycast = () => undefined;
        });
      }
      changed();
    });
  }

  dispose(): void {
    this.off();
    this.clear();
    [this.surface, this.edges, this.threads, this.dots].forEach((material) => material.dispose());
  }

  private clear(): void {
    this.object.clear();
    this.geometry?.dispose();
    this.geometry = null;
  }
}
