// Base colours of a glTF's materials, with their images, as the file has them.
interface TextureOf {
  readonly index: number;
  readonly texCoord?: number;
  readonly extensions?: {readonly KHR_texture_transform?: Transform};
}

interface Transform {
  readonly offset?: readonly [number, number];
  readonly rotation?: number;
  readonly scale?: readonly [number, number];
  readonly texCoord?: number;
}

export interface GltfMaterial {
  readonly name?: string;
  readonly pbrMetallicRoughness?: {
    readonly baseColorFactor?: readonly number[];
    readonly baseColorTexture?: TextureOf;
    readonly metallicFactor?: number;
    readonly roughnessFactor?: number;
  };
}

export interface GltfTexture {
  readonly source?: number;
  readonly extensions?: {readonly EXT_texture_webp?: {readonly source: number}};
}

interface Colours {
  readonly materials?: readonly GltfMaterial[];
  readonly textures?: readonly GltfTexture[];
  readonly images?: readonly {readonly uri?: string; readonly bufferView?: number}[];
  readonly bufferViews?: readonly {readonly byteOffset?: number; readonly byteLength: number}[];
}

export interface FileMaterial {
  readonly name: string;
  // Linear red, green, blue and opacity.
  readonly color: readonly number[];
  readonly metallic: number;
  readonly roughness: number;
  // Its place among the images; absent: it has none.
  readonly image?: number;
  // From the file's u and v to those that its image is looked up with, both downwards.
  readonly place: (u: number, v: number) => readonly [number, number];
}

function textureOf(material: GltfMaterial | undefined): TextureOf | undefined {
  return material?.pbrMetallicRoughness?.baseColorTexture;
}

// The set of uvs that the base colour of a material goes by.
export function uvSetOf({materials}: Colours, material: number | undefined): number {
  const texture = material === undefined ? undefined : textureOf(materials?.[material]);
  return texture?.extensions?.KHR_texture_transform?.texCoord ?? texture?.texCoord ?? 0;
}

function placing({offset = [0, 0], rotation = 0, scale = [1, 1]}: Transform = {}): FileMaterial['place'] {
  const [sine, cosine] = [Math.sin(rotation), Math.cos(rotation)];
  return (u, v) => [
    offset[0] + cosine * scale[0] * u + sine * scale[1] * v,
    offset[1] - sine * scale[0] * u + cosine * scale[1] * v,
  ];
}

const part = (value: unknown, otherwise: number) =>
  typeof value === 'number' && value >= 0 && value <= 1 ? value : otherwise;

// `binary` has the views at their offsets. An image that is missing is left out, and so is its texture.
export async function coloursOf(
  {materials = [], textures = [], images = [], bufferViews = []}: Colours,
  binary: Uint8Array,
  fileOf: (uri: string) => Promise<Uint8Array>,
): Promise<{materials: FileMaterial[]; images: Uint8Array[]}> {
  const files: Uint8Array[] = [];
  const known = new Map<number, number>();
  const imageOf = async (texture: TextureOf | undefined): Promise<number | undefined> => {
    const entry = texture && textures[texture.index];
    const source = entry?.extensions?.EXT_texture_webp?.source ?? entry?.source;
    const image = source === undefined ? undefined : images[source];
    if (!image || source === undefined) return undefined;
    if (!known.has(source)) {
      const view = image.bufferView === undefined ? undefined : bufferViews[image.bufferView];
      const start = view?.byteOffset ?? 0;
      const bytes = view
        ? binary.slice(start, start + view.byteLength)
        : image.uri === undefined
          ? null
          : await fileOf(image.uri).catch(() => null);
      if (!bytes) return undefined;
      known.set(source, files.length);
      files.push(bytes);
    }
    return known.get(source);
  };
  const out: FileMaterial[] = [];
  for (const material of materials) {
    const {baseColorFactor = [], metallicFactor, roughnessFactor} = material.pbrMetallicRoughness ?? {};
    const texture = textureOf(material);
    const image = await imageOf(texture);
    out.push({
      name: typeof material.name === 'string' ? material.name : '',
      color: [0, 1, 2, 3].map((i) => part(baseColorFactor[i], 1)),
      metallic: part(metallicFactor, 1),
      roughness: part(roughnessFactor, 1),
      ...(image === undefined ? {} : {image}),
      place: placing(texture?.extensions?.KHR_texture_transform),
    });
  }
  return {materials: out, images: files};
}
