// Images of meshes, as textures. The page that shows a body asks for them once.
//
// The images of a body become layers of one texture, all of one size, so that the body stays one drawing. Their number of
// pixels is bounded for a body and for the page: images may come from anywhere, and a small file may hold many pixels.
import {
  DataArrayTexture,
  Group,
  LinearFilter,
  LinearMipmapLinearFilter,
  RepeatWrapping,
  SRGBColorSpace,
} from 'three';
import {fieldsOf, listOf, numberOf, u32sOf} from '../../model/values.js';
import type {BodyView} from '../body.js';
import type {Late, LateParts} from '../lateparts.js';

// Pixels a side of one layer, by the number of layers.
const sideFor = (layers: number) => (layers > 16 ? 256 : layers > 4 ? 512 : layers > 1 ? 1024 : 2048);
const SIDE_MIN = 64;
// Pixels of all textures of the page.
const PIXELS_MAX = 32 * 1024 * 1024;
const ANISOTROPY = 8;
const AGAIN_MS = 3000;

interface Worn {
  readonly images: string;
  // Null: it is asked for, or cannot be drawn.
  texture: DataArrayTexture | null;
  pixels: number;
}

export class Pictures implements Omit<Late, 'thingAt'> {
  readonly object = new Group();
  private readonly worn = new Map<number, Worn>();
  private readonly dressed = new WeakSet<BodyView>();
  private pixels = 0;
  private world = 0;
  private closed = false;

  constructor(private readonly parts: LateParts) {}

  paint(): void {}

  resize(): void {}

  update(): void {
    const {content, app} = this.parts;
    if (this.world !== app.document.world.peek()) {
      this.clear();
      this.world = app.document.world.peek();
    }
    for (const [id, view] of content.bodies) {
      if (view.images.length === 0) continue;
      const images = view.images.join();
      const known = this.worn.get(id);
      if (known?.images !== images) {
        if (known) this.forget(id, known);
        void this.fetch(id, images, view.images.length);
      } else if (known.texture && !this.dressed.has(view)) {
        this.dressed.add(view);
        view.wear(known.texture);
        this.parts.repaint();
      }
    }
    for (const [id, known] of this.worn) {
      if (!content.bodies.has(id)) this.forget(id, known);
    }
  }

  dispose(): void {
    this.closed = true;
    this.clear();
  }

  private clear(): void {
    this.worn.forEach((known, id) => this.forget(id, known));
  }

  private forget(id: number, {texture, pixels}: Worn): void {
    this.worn.delete(id);
    this.pixels -= pixels;
    texture?.dispose();
  }

  private async fetch(id: number, images: string, layers: number): Promise<void> {
    const own: Worn = {images, texture: null, pixels: 0};
    const {client, document} = this.parts.app;
    this.worn.set(id, own);
    let side = sideFor(layers);
    while (side >= SIDE_MIN && this.pixels + layers * side * side > PIXELS_MAX) side /= 2;
    // It stays in the colours of its materials.
    if (side < SIDE_MIN) return;
    own.pixels = layers * side * side;
    this.pixels += own.pixels;
    try {
      const told = await client.call('body.get', {world: document.world.peek(), body: id, images: true});
      const list = listOf(fieldsOf(fieldsOf(told).look).images).map(bytesOf);
      if (list.length !== layers) throw new Error('other images');
      const texture = await textureOf(list, side);
      if (this.closed || this.worn.get(id) !== own) {
        texture.dispose();
        return;
      }
      own.texture = texture;
      this.parts.changed();
    } catch {
      // The body is gone, or the connection is lost: it is asked for again a little later.
      setTimeout(() => {
        if (this.worn.get(id) === own) {
          this.forget(id, own);
          this.parts.changed();
        }
      }, AGAIN_MS);
    }
  }
}

function bytesOf(item: unknown): Uint8Array {
  const {bytes, data} = fieldsOf(item);
  const words = u32sOf(data);
  return new Uint8Array(words.buffer, words.byteOffset, Math.min(numberOf(bytes, 0), words.byteLength));
}

// An image that the browser cannot decode is white, so that the colour of its material stays.
async function textureOf(images: readonly Uint8Array[], side: number): Promise<DataArrayTexture> {
  const pixels = new Uint8Array(images.length * side * side * 4).fill(255);
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = side;
  const context = canvas.getContext('2d', {willReadFrequently: true});
  for (const [layer, bytes] of images.entries()) {
    try {
      const bitmap = await createImageBitmap(new Blob([Uint8Array.from(bytes)]), {
        // v points upwards.
        imageOrientation: 'flipY',
        resizeWidth: side,
        resizeHeight: side,
        resizeQuality: 'high',
      });
      context!.drawImage(bitmap, 0, 0);
      bitmap.close();
      pixels.set(context!.getImageData(0, 0, side, side).data, layer * side * side * 4);
    } catch {
      // It stays white.
    }
  }
  const texture = new DataArrayTexture(pixels, side, side, images.length);
  texture.colorSpace = SRGBColorSpace;
  texture.wrapS = texture.wrapT = RepeatWrapping;
  texture.magFilter = LinearFilter;
  texture.minFilter = LinearMipmapLinearFilter;
  texture.generateMipmaps = true;
  texture.anisotropy = ANISOTROPY;
  texture.needsUpdate = true;
  return texture;
}
