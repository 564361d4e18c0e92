// The endings of files that can be read. Apart from the reader, which is fetched when it is needed.
export const FORMATS = ['obj', 'ply', 'stl', 'glb', 'gltf'] as const;
export const ACCEPT = FORMATS.map((format) => `.${format}`).join(',');
