// Images of a mesh that the server takes: PNG, JPEG or WebP, of at most 4096 pixels a side and so many bytes together. Those
// that are larger, or of another format that the browser reads, are made again, smaller each time until they fit.
import {LIMITS} from '../../../lib/index.js';

const SIDE_MAX = 4096;
// The sides and the quality of images that are made again.
const SIDES = [2048, 1024, 512, 256, 128, 64];
const QUALITY = 0.85;

const HEADS: readonly (readonly [at: number, head: string])[] = [
  [0, '\x89PNG'],
  [0, '\xff\xd8\xff'],
  [8, 'WEBP'],
];

function isKnown(bytes: Uint8Array): boolean {
  return HEADS.some(([at, head]) => [...head].every((letter, i) => bytes[at + i] === letter.charCodeAt(0)));
}

async function encoded(bitmap: ImageBitmap, most: number): Promise<Uint8Array | null> {
  if (typeof OffscreenCanvas === 'undefined') return null;
  const scale = Math.min(1, most / Math.max(bitmap.width, bitmap.height));
  const [width, height] = [bitmap.width, bitmap.height].map((side) => Math.max(1, Math.round(scale * side)));
  const canvas = new OffscreenCanvas(width!, height!);
  canvas.getContext('2d')!.drawImage(bitmap, 0, 0, width!, height!);
  const blob = await canvas.convertToBlob({type: 'image/webp', quality: QUALITY});
  return new Uint8Array(await blob.arrayBuffer());
}

// Null for what is no image, and in engines that decode none in a worker.
async function decoded(bytes: Uint8Array): Promise<ImageBitmap | null> {
  try {
    return await createImageBitmap(new Blob([Uint8Array.from(bytes)]));
  } catch {
    return null;
  }
}

// Null in place of what is no image, and of all that exceed the number of images of a body.
export async function fittingImages(files: readonly Uint8Array[]): Promise<(Uint8Array | null)[]> {
  const out: (Uint8Array | null)[] = files.map(() => null);
  const bitmaps = new Map<number, ImageBitmap>();
  for (const [i, bytes] of files.entries()) {
    if (bitmaps.size === LIMITS.look_images.value) break;
    const bitmap = await decoded(bytes);
    if (!bitmap) continue;
    bitmaps.set(i, bitmap);
    const fits = isKnown(bytes) && Math.max(bitmap.width, bitmap.height) <= SIDE_MAX;
    out[i] = fits ? bytes : await encoded(bitmap, SIDES[0]!);
  }
  const total = () => out.reduce((sum, bytes) => sum + (bytes?.byteLength ?? 0), 0);
  for (let round = 0; round < SIDES.length && total() > LIMITS.image_bytes.value; round++) {
    for (const [i, bitmap] of bitmaps) out[i] = await encoded(bitmap, SIDES[round]!);
  }
  bitmaps.forEach((bitmap) => bitmap.close());
  return total() > LIMITS.image_bytes.value ? files.map(() => null) : out;
}

// As the wire has them: four bytes in each number, filled up with zeros.
export function wordsOf(bytes: Uint8Array): Uint32Array {
  const filled = new Uint8Array((bytes.byteLength + 3) & ~3);
  filled.set(bytes);
  return new Uint32Array(filled.buffer);
}
