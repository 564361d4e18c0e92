// A picture whose background is transparent, from two that were drawn before black and before white.
//
//     black = a c          white = a c + 1 - a          so a = 1 - (white - black), and c = black / a

// The same picture each time, but for what is behind it.
export function matted(black: () => HTMLCanvasElement, white: () => HTMLCanvasElement): HTMLCanvasElement {
  const first = pixelsOf(black());
  const second = pixelsOf(white());
  const {width, height} = first;
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  // The green of both says it best: eyes see it most, and no rounding of three is mixed.
  for (let i = 0; i < first.data.length; i += 4) {
    const alpha = 255 - Math.max(0, second.data[i + 1] - first.data[i + 1]);
    for (let k = i; k < i + 3; k++) {
      first.data[k] = alpha > 0 ? Math.min(255, (255 * first.data[k]) / alpha) : 0;
    }
    first.data[i + 3] = alpha;
  }
  canvas.getContext('2d')!.putImageData(first, 0, 0);
  return canvas;
}

function pixelsOf(drawn: HTMLCanvasElement): ImageData {
  const {width, height} = drawn;
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d', {willReadFrequently: true})!;
  context.drawImage(drawn, 0, 0);
  return context.getImageData(0, 0, width, height);
}
