// What the renderer makes of a linear colour: the Khronos PBR neutral tone mapping, then sRGB. For colours that are the
// same all over a surface, so that its shader need not work them out for each pixel.
import type {Color} from 'three';

const START = 0.8 - 0.04;
const DESATURATION = 0.15;

// Changes the color, and gives it back.
export function displayed(color: Color): Color {
  const least = Math.min(color.r, color.g, color.b);
  const offset = least < 0.08 ? least - 6.25 * least * least : 0.04;
  color.setRGB(color.r - offset, color.g - offset, color.b - offset);
  const peak = Math.max(color.r, color.g, color.b);
  if (peak >= START) {
    const room = 1 - START;
    const top = 1 - (room * room) / (peak + room - START);
    color.multiplyScalar(top / peak);
    const grey = 1 - 1 / (DESATURATION * (peak - top) + 1);
    color.setRGB(
      color.r + grey * (top - color.r),
      color.g + grey * (top - color.g),
      color.b + grey * (top - color.b),
    );
  }
  return color.convertLinearToSRGB();
}
