// What the page can draw with: is there WebGL 2, and is it a graphics card or the processor that draws.

export type Graphics = 'none' | 'card' | 'software';

const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

export function graphics(): Graphics {
  const gl = document.createElement('canvas').getContext('webgl2');
  if (!gl) {
    return 'none';
  }
  const info = gl.getExtension('WEBGL_debug_renderer_info');
  const name = String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  // Pages may hold but a few contexts.
  gl.getExtension('WEBGL_lose_context')?.loseContext();
  return SOFTWARE.test(name) ? 'software' : 'card';
}
