// The look of a mesh from a file, as body.add takes it.
import type {SoupPaint} from '../../../files/index.js';
import {wordsOf} from './images.js';
import type {FileColours} from './read.js';

const NONE = {name: '', color: [1, 1, 1, 1], metallic: 0, roughness: 1};

// `triangles`: those that the look is of. Undefined where there is nothing to say.
export function lookOf(triangles: SoupPaint | undefined, colours: FileColours | undefined) {
  if (!triangles || !colours || triangles.materials.length === 0) return undefined;
  // Only the materials that some triangle has, in order.
  const used = [...new Set(triangles.materials)].sort((a, b) => a - b);
  const numbers = new Map(used.map((material, i) => [material, i]));
  const mapped = triangles.uvs.length > 0;
  const materials = used.map((number) => {
    const {image, ...material} = {image: undefined, ...(colours.materials[number] ?? NONE)};
    return mapped && image !== undefined ? {...material, image} : material;
  });
  const images = [...new Set(materials.flatMap((one) => ('image' in one ? [one.image] : [])))];
  return {
    ...(mapped ? {uvs: triangles.uvs} : {}),
    materials: materials.map((one) => ('image' in one ? {...one, image: images.indexOf(one.image)} : one)),
    triangle_materials: triangles.materials.map((material) => numbers.get(material) ?? 0),
    ...(images.length > 0
      ? {images: images.map((i) => ({bytes: colours.images[i]!.byteLength, data: wordsOf(colours.images[i]!)}))}
      : {}),
  };
}
