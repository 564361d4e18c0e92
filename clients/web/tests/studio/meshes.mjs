// A unit cube in every format that can be dropped on the studio, made here byte by byte.

const CORNERS = [
  [0, 0, 0],
  [1, 0, 0],
  [1, 1, 0],
  [0, 1, 0],
  [0, 0, 1],
  [1, 0, 1],
  [1, 1, 1],
  [0, 1, 1],
];
const TRIANGLES = [
  [0, 2, 1],
  [0, 3, 2],
  [4, 5, 6],
  [4, 6, 7],
  [0, 1, 5],
  [0, 5, 4],
  [2, 3, 7],
  [2, 7, 6],
  [1, 2, 6],
  [1, 6, 5],
  [0, 4, 7],
  [0, 7, 3],
];

export function cube() {
  return {positions: Float64Array.from(CORNERS.flat()), triangles: Uint32Array.from(TRIANGLES.flat())};
}

export function obj() {
  const faces = TRIANGLES.map((triangle) => `f ${triangle.map((i) => i + 1).join(' ')}`);
  return [
    'mtllib none.mtl',
    ...CORNERS.map((corner) => `v ${corner.join(' ')}`),
    'usemtl cloth',
    ...faces,
    '',
  ].join('\n');
}

export function asciiPly({faces = true} = {}) {
  const head = [
    'ply',
    'format ascii 1.0',
    `element vertex ${CORNERS.length}`,
    'property float x',
    'property float y',
    'property float z',
  ];
  const list = faces ? [`element face ${TRIANGLES.length}`, 'property list uchar int vertex_indices'] : [];
  const rows = faces ? TRIANGLES.map((triangle) => `3 ${triangle.join(' ')}`) : [];
  return [...head, ...list, 'end_header', ...CORNERS.map((corner) => corner.join(' ')), ...rows, ''].join(
    '\n',
  );
}

export function binaryStl() {
  const bytes = new ArrayBuffer(84 + 50 * TRIANGLES.length);
  const view = new DataView(bytes);
  view.setUint32(80, TRIANGLES.length, true);
  TRIANGLES.forEach((triangle, i) => {
    triangle
      .flatMap((corner) => CORNERS[corner])
      .forEach((x, k) => view.setFloat32(84 + 50 * i + 12 + 4 * k, x, true));
  });
  return bytes;
}

// Positions, then indices; a material with a picture that must not be asked for.
function parts(version, extension) {
  const positions = Float32Array.from(CORNERS.flat());
  const indices = Uint16Array.from(TRIANGLES.flat());
  const binary = new Uint8Array(positions.byteLength + indices.byteLength);
  binary.set(new Uint8Array(positions.buffer));
  binary.set(new Uint8Array(indices.buffer), positions.byteLength);
  const gltf = {
    asset: {version: `${version}.0`},
    scene: 0,
    scenes: [{nodes: [0]}],
    nodes: [{mesh: 0}],
    meshes: [{primitives: [{attributes: {POSITION: 0}, indices: 1, material: 0}]}],
    materials: [{pbrMetallicRoughness: {baseColorTexture: {index: 0}}}],
    textures: [{source: 0}],
    images: [{uri: 'missing.png'}],
    accessors: [
      {
        bufferView: 0,
        componentType: 5126,
        count: CORNERS.length,
        type: 'VEC3',
        min: [0, 0, 0],
        max: [1, 1, 1],
      },
      {bufferView: 1, componentType: 5123, count: indices.length, type: 'SCALAR'},
    ],
    bufferViews: [
      {buffer: 0, byteOffset: 0, byteLength: positions.byteLength},
      {buffer: 0, byteOffset: positions.byteLength, byteLength: indices.byteLength},
    ],
    buffers: [{byteLength: binary.byteLength}],
    ...(extension ? {extensionsUsed: [extension], extensionsRequired: [extension]} : {}),
  };
  return {gltf, binary};
}

export function glb({version = 2, extension = ''} = {}) {
  const {gltf, binary} = parts(version, extension);
  return packed(gltf, binary);
}

function packed(gltf, binary) {
  let json = JSON.stringify(gltf);
  json += ' '.repeat((4 - (json.length % 4)) % 4);
  const bytes = new Uint8Array(12 + 8 + json.length + 8 + binary.length);
  const view = new DataView(bytes.buffer);
  [0x46546c67, 2, bytes.length, json.length, 0x4e4f534a].forEach((word, i) =>
    view.setUint32(4 * i, word, true),
  );
  bytes.set(new TextEncoder().encode(json), 20);
  view.setUint32(20 + json.length, binary.length, true);
  view.setUint32(24 + json.length, 0x004e4942, true);
  bytes.set(binary, 28 + json.length);
  return bytes.buffer;
}

// Its buffer in the text, or apart: then [text, bytes].
export function gltfWithData({apart = false} = {}) {
  const {gltf, binary} = parts(2, '');
  gltf.buffers[0].uri = apart
    ? 'cube.bin'
    : `data:application/octet-stream;base64,${Buffer.from(binary).toString('base64')}`;
  return apart ? [JSON.stringify(gltf), binary.buffer] : JSON.stringify(gltf);
}

// A sheet of n × n vertices, one metre wide, with uvs and this image as its texture. Row 0 is above, and v points downwards there.
export function sheetGlb(n, image) {
  const at = Array.from({length: n * n}, (_, i) => [(i % n) / (n - 1), Math.floor(i / n) / (n - 1)]);
  const positions = Float32Array.from(at.flatMap(([u, v]) => [u, 1 - v, 0]));
  const uvs = Float32Array.from(at.flat());
  const indices = [];
  for (let row = 0; row + 1 < n; ++row) {
    for (let column = 0; column + 1 < n; ++column) {
      const a = row * n + column;
      indices.push(a, a + n, a + 1, a + 1, a + n, a + n + 1);
    }
  }
  const parts = [positions, uvs, Uint16Array.from(indices), image];
  const views = [];
  let length = 0;
  for (const part of parts) {
    views.push({buffer: 0, byteOffset: length, byteLength: part.byteLength});
    length = (length + part.byteLength + 3) & ~3;
  }
  const binary = new Uint8Array(length);
  parts.forEach((part, i) => binary.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), views[i].byteOffset));
  const accessor = (bufferView, componentType, count, type, box = {}) => ({bufferView, componentType, count, type, ...box});
  return packed(
    {
      asset: {version: '2.0'},
      scene: 0,
      scenes: [{nodes: [0]}],
      nodes: [{mesh: 0}],
      meshes: [{primitives: [{attributes: {POSITION: 0, TEXCOORD_0: 1}, indices: 2, material: 0}]}],
      materials: [{name: 'silk', pbrMetallicRoughness: {baseColorTexture: {index: 0}, metallicFactor: 0}}],
      textures: [{source: 0}],
      images: [{bufferView: 3, mimeType: 'image/png'}],
      accessors: [
        accessor(0, 5126, n * n, 'VEC3', {min: [0, 0, 0], max: [1, 1, 0]}),
        accessor(1, 5126, n * n, 'VEC2'),
        accessor(2, 5123, indices.length, 'SCALAR'),
      ],
      bufferViews: views,
      buffers: [{byteLength: length}],
    },
    binary,
  );
}
