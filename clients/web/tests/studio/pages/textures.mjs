// The colours of a mesh that was imported: they reach everybody in the world, a reload and a scene.
import assert from 'node:assert/strict';
import {deflateSync} from 'node:zlib';

import {Peer} from '../peer.mjs';
import {drop, eventually, lookFrom, makeWorld, open, pictureOf, server, test} from '../rig.mjs';
import {sheetGlb} from '../meshes.mjs';

// Rows from the top, four bytes a pixel.
function png(width, height, pixel) {
  const crcs = Array.from({length: 256}, (_, n) => {
    let c = n;
    for (let k = 0; k < 8; ++k) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
    return c >>> 0;
  });
  const crc = (bytes) => (bytes.reduce((c, byte) => crcs[(c ^ byte) & 0xff] ^ (c >>> 8), 0xffffffff) ^ 0xffffffff) >>> 0;
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const out = Buffer.alloc(body.length + 8);
    out.writeUInt32BE(data.length, 0);
    body.copy(out, 4);
    out.writeUInt32BE(crc(body), body.length + 4);
    return out;
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 6, 0, 0, 0], 8);
  const rows = Array.from({length: height}, (_, y) => [0, ...Array.from({length: width}, (_x, x) => pixel(x, y)).flat()]);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', deflateSync(Buffer.from(rows.flat()))), chunk('IEND', Buffer.alloc(0))]);
}

// Red and green above, blue and white below.
const QUARTERS = png(64, 64, (x, y) => (y < 32 ? (x < 32 ? [255, 0, 0, 255] : [0, 255, 0, 255]) : x < 32 ? [0, 0, 255, 255] : [255, 255, 255, 255]));

// The greatest part of the colour where a particle is seen: 'r', 'g', 'b', or 'w' if all are alike.
async function coloursAt(page, body, particles) {
  const places = await page.evaluate(([id, list]) => list.map((k) => window.weft.view.project(id, k)), [body, particles]);
  const pixels = await pictureOf(page, places);
  return pixels
    .map(([r, g, b]) => (Math.max(r, g, b) < 1.25 * Math.min(r, g, b) ? 'w' : r > g && r > b ? 'r' : g > b ? 'g' : 'b'))
    .join('');
}

test('a texture is seen by everybody, after a reload, and in a copy', async () => {
  const peer = await Peer.connect(server.url);
  const {name} = await makeWorld(peer, {play: false});
  const page = await open(name);
  const side = 9;
  await drop(page, 'quilt.glb', sheetGlb(side, QUARTERS));
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', {name: 'Add as cloth'}).click();
  await dialog.waitFor({state: 'detached'});
  const {bodies} = await eventually(
    () => peer.call('world.join', {world: name}),
    (joined) => joined.bodies.some((body) => body.name === 'quilt'),
    'it is there',
  );
  const {body} = bodies.find((one) => one.name === 'quilt');
  const {look} = await peer.call('body.get', {world: name, body, images: true});
  assert.equal(look.images[0].bytes, QUARTERS.length, 'the file as it was');
  // A particle in the middle of each quarter: above left, above right, below left, below right.
  const at = (column, row) => row * side + column;
  const particles = [at(2, 2), at(6, 2), at(2, 6), at(6, 6)];
  const state = await peer.call('body.state', {world: name, body, fields: ['positions64']});
  const floats = new Float64Array(state.positions64.buffer ?? state.positions64);
  const [x, y, z] = floats.slice(3 * at(4, 4), 3 * at(4, 4) + 3);
  const sees = (one, who, of = body) =>
    eventually(() => coloursAt(one, of, particles), (colours) => colours === 'rgbw', `${who} sees the four colours`);
  await page.evaluate(() => window.weft.selection.clear());
  await lookFrom(page, [x, y, z + 2], [x, y, z]);
  await sees(page, 'who imported it');
  const other = await open(name);
  await lookFrom(other, [x, y, z + 2], [x, y, z]);
  await sees(other, 'somebody else');
  await page.reload();
  await lookFrom(page, [x, y, z + 2], [x, y, z]);
  await sees(page, 'a reloaded page');
  peer.close();
});
