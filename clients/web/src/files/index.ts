// Scenes and meshes out of files: what the page and `weft` read with the same code.
export {compileFiles, Files} from './module.js';
export type {Lattice, Scene, Soup, SoupPaint, Tell, Welded} from './mesh.js';
