// weft-files.wasm (WEFT_WASM_FILES), which reads scenes and meshes. A build without it has none: its tests are left out.
import {readFileSync} from 'node:fs';

const path = process.env['WEFT_WASM_FILES'] ?? '';

export const missing = path === '';
export const module = missing ? (undefined as never) : new WebAssembly.Module(readFileSync(path));
