// Convex hulls of points, as they are drawn.
import {Vector3, type BufferGeometry} from 'three';
import {ConvexGeometry} from 'three/examples/jsm/geometries/ConvexGeometry.js';

/** Triangles of the hull, each with corners of its own. */
export function hullGeometry(points: ArrayLike<number>): BufferGeometry {
  const corners: Vector3[] = [];
  for (let i = 0; i + 2 < points.length; i += 3) {
    corners.push(new Vector3(points[i], points[i + 1], points[i + 2]));
  }
  return new ConvexGeometry(corners);
}
