// A camera is put where all that is asked for is in the picture, and fills it.

const OPENING = 38; // degrees of the picture's height, as in view/camera.ts

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

// points: [x, y, z] each. yaw and pitch: degrees from +z towards +x, and upwards; where it is seen from. aspect: width by height.
// share: of the picture's sides that the points take up.
export function around(points, {yaw, pitch, aspect, share}) {
  const [a, e] = [yaw, pitch].map((degrees) => (degrees * Math.PI) / 180);
  const back = [Math.sin(a) * Math.cos(e), Math.sin(e), Math.cos(a) * Math.cos(e)];
  const right = [Math.cos(a), 0, -Math.sin(a)];
  const up = [-Math.sin(a) * Math.sin(e), Math.cos(e), -Math.cos(a) * Math.sin(e)];
  const high = share * Math.tan((OPENING * Math.PI) / 360);
  // A point p is within the side whose slope is t if p·side + t p·back ≤ eye·side + t eye·back.
  const reach = (side, sign, t) => Math.max(...points.map((p) => sign * dot(p, side) + t * dot(p, back)));
  const [r, l] = [1, -1].map((sign) => reach(right, sign, high * aspect));
  const [u, d] = [1, -1].map((sign) => reach(up, sign, high));
  const far = Math.max((r + l) / (2 * high * aspect), (u + d) / (2 * high));
  const along = (x, y, z) => [0, 1, 2].map((i) => x * right[i] + y * up[i] + z * back[i]);
  const nearest = Math.max(...points.map((p) => dot(p, back)));
  const farthest = Math.min(...points.map((p) => dot(p, back)));
  const place = [(r - l) / 2, (u - d) / 2];
  return {position: along(...place, far), target: along(...place, Math.min((nearest + farthest) / 2, far - 0.05))};
}
