// Quaternions for people: turns about x, then y, then z, in degrees.

type Numbers = readonly number[];

export function anglesOf(quaternion: Numbers | undefined): number[] | undefined {
  if (!quaternion) return [0, 0, 0];
  const [x = 0, y = 0, z = 0, w = 1] = quaternion;
  const sine = Math.max(-1, Math.min(1, 2 * (w * y - z * x)));
  // Straight up or down the first and the last axis are one; all of that turn is given to x.
  const about =
    Math.abs(sine) > 0.999999
      ? [wrap(2 * Math.atan2(x, w)), (Math.sign(sine) * Math.PI) / 2, 0]
      : [
          Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
          Math.asin(sine),
          Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)),
        ];
  return about.map((angle) => Number(((angle * 180) / Math.PI).toFixed(3)) + 0);
}

export function quaternionOf(degrees: Numbers): number[] {
  const [a = 0, b = 0, c = 0] = degrees.map((angle) => (angle * Math.PI) / 360);
  const [ca, sa, cb, sb, cc, sc] = [
    Math.cos(a),
    Math.sin(a),
    Math.cos(b),
    Math.sin(b),
    Math.cos(c),
    Math.sin(c),
  ];
  return [
    sa * cb * cc - ca * sb * sc,
    ca * sb * cc + sa * cb * sc,
    ca * cb * sc - sa * sb * cc,
    ca * cb * cc + sa * sb * sc,
  ];
}

function wrap(angle: number): number {
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
}
