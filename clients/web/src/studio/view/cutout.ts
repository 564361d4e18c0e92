// A picture without what is behind it, of two that are alike except for that: one before black and one before white.
//
//     before black: a c        before white: a c + (1 − a) 255
//
// So a follows from the difference, and c from the first. It holds for whatever is drawn, with smooth edges too.
export function cutOut(black: Uint8ClampedArray, white: Uint8ClampedArray): Uint8ClampedArray<ArrayBuffer> {
  const out = new Uint8ClampedArray(black.length);
  for (let i = 0; i < black.length; i += 4) {
    const behind = (white[i] - black[i] + white[i + 1] - black[i + 1] + white[i + 2] - black[i + 2]) / 3;
    const share = Math.min(1, Math.max(0, 1 - behind / 255));
    for (let k = i; k < i + 3; k++) {
      out[k] = share > 0 ? black[k] / share : 0;
    }
    out[i + 3] = 255 * share;
  }
  return out;
}

// Reads the pixels of a canvas, which must have been drawn in this task.
export function pixelsOf(canvas: HTMLCanvasElement): ImageData {
  const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d')!;
  copy.drawImage(canvas, 0, 0);
  return copy.getImageData(0, 0, canvas.width, canvas.height);
}

export function canvasOf(image: ImageData): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = image.width;
  canvas.height = image.height;
  canvas.getContext('2d')!.putImageData(image, 0, 0);
  return canvas;
}

export function pngOf(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('the picture could not be created'))),
      'image/png',
    );
  });
}
