// Pieces of rigid bodies: each vertex is a point of one piece, and goes and turns with it.
//
//     x(vertex) = x(piece) + q(piece) local conj(q(piece))
import {BoxGeometry, CapsuleGeometry, Quaternion, SphereGeometry, Vector3, type BufferGeometry} from 'three';
import type {Rigid, RigidPart, RigidShape} from '../model/values.js';
import {hullGeometry} from './hull.js';
import type {Pieces, Surface} from './surface.js';

// From so many pieces on each has fewer triangles.
const MANY = 200;

function geometryOf(
  {form, radius = 0, half_height: half = 0, half_extents: edges = [0, 0, 0], points = new Float64Array()}: RigidShape,
  fine: boolean,
): BufferGeometry {
  const around = fine ? 24 : 12;
  if (form === 'hull') {
    return hullGeometry(points);
  }
  if (form === 'box') {
    return new BoxGeometry(2 * edges[0], 2 * edges[1], 2 * edges[2]);
  }
  return form === 'capsule'
    ? new CapsuleGeometry(radius, 2 * half, around / 4, around)
    : new SphereGeometry(radius, around, around / 2);
}

interface Mesh {
  readonly points: ArrayLike<number>;
  readonly corners: ArrayLike<number>;
}

function meshOf(shape: RigidShape, fine: boolean): Mesh {
  const geometry = geometryOf(shape, fine);
  const points = geometry.attributes.position.array;
  const corners = geometry.index?.array ?? Uint32Array.from({length: points.length / 3}, (_, i) => i);
  geometry.dispose();
  return {points, corners};
}

// A part where it stands in the piece.
function partMesh(part: RigidPart, fine: boolean): Mesh {
  const {points, corners} = meshOf(part, fine);
  const placed = new Float32Array(points.length);
  const [qx, qy, qz, qw] = part.rotation;
  const [x, y, z] = part.position;
  const turn = new Quaternion(qx, qy, qz, qw).normalize();
  const at = new Vector3();
  for (let i = 0; i < points.length; i += 3) {
    at.set(points[i], points[i + 1], points[i + 2]).applyQuaternion(turn);
    placed.set([at.x + x, at.y + y, at.z + z], i);
  }
  return {points: placed, corners};
}

function joined(meshes: readonly Mesh[]): Mesh {
  const points: number[] = [];
  const corners: number[] = [];
  for (const mesh of meshes) {
    const first = points.length / 3;
    for (let i = 0; i < mesh.points.length; i++) {
      points.push(mesh.points[i]);
    }
    for (let i = 0; i < mesh.corners.length; i++) {
      corners.push(first + mesh.corners[i]);
    }
  }
  return {points, corners};
}

// All pieces of a body, which stand as the world does.
export function pieceSurface(shape: Rigid, count: number): Surface & {readonly pieces: Pieces} {
  const fine = count < MANY;
  const {points, corners} =
    shape.form === 'compound' ? joined(shape.parts.map((part) => partMesh(part, fine))) : meshOf(shape, fine);
  const each = points.length / 3;
  const local = new Float32Array(count * points.length);
  const triangles = new Uint32Array(count * corners.length);
  const particleOf = new Uint32Array(count * each);
  const turns = new Float32Array(4 * count);
  for (let piece = 0; piece < count; piece++) {
    local.set(points, piece * points.length);
    particleOf.fill(piece, piece * each, (piece + 1) * each);
    turns[4 * piece + 3] = 1;
    for (let i = 0; i < corners.length; i++) {
      triangles[piece * corners.length + i] = piece * each + corners[i];
    }
  }
  return {triangles, particleOf, vertexCount: count * each, pieces: {local, turns}};
}

export function placePieces(
  {local, turns}: Pieces,
  pieceOf: Uint32Array,
  positions: ArrayLike<number>,
  to: Float32Array,
): void {
  for (let i = 0, at = 0; i < pieceOf.length; i++, at += 3) {
    const piece = pieceOf[i];
    const [x, y, z] = [local[at], local[at + 1], local[at + 2]];
    const [qx, qy, qz, qw] = [turns[4 * piece], turns[4 * piece + 1], turns[4 * piece + 2], turns[4 * piece + 3]];
    const tx = 2 * (qy * z - qz * y);
    const ty = 2 * (qz * x - qx * z);
    const tz = 2 * (qx * y - qy * x);
    to[at] = positions[3 * piece] + x + qw * tx + (qy * tz - qz * ty);
    to[at + 1] = positions[3 * piece + 1] + y + qw * ty + (qz * tx - qx * tz);
    to[at + 2] = positions[3 * piece + 2] + z + qw * tz + (qx * ty - qy * tx);
  }
}
