// The endings of files that can be read. Apart from the reader, which is fetched when it is needed.
export const FORMATS = ['obj', 'ply', 'stl', 'glb', 'gltf'] as const;
// Those of tetrahedra; .ele goes with a .node.
export const TET_FORMATS = ['node', 'ele', 'msh'] as const;
export const ACCEPT = [...FORMATS, ...TET_FORMATS].map((format) => `.${format}`).join(',');
