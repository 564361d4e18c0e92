// Makes the pictures that weft shows of itself: a real weftd, and a real page of the studio that draws.
//
//     WEFTD=… WEFT=… WEFT_STUDIO_DIR=… node gallery/record.mjs [NAME…]
//
// NAME is a scene of the gallery, whose NAME.avif moves and whose NAME.still.avif does not; both are written beside this script.
// Or it is a file below docs/, such as studio.webp. `gallery` and `docs` stand for all of one kind; without a name both are made.
// LIGHT=plain draws the gallery without fine materials, which takes less time. It tells how large each picture is. Needs Python
// with Pillow 11.3 or newer, which encodes them. Make them again when a scene or the look of the studio has changed, and look at
// each before it is kept.
import {names as docs, picture} from './docs.mjs';
import {studio} from './page.mjs';
import {names as scenes, pageFor, record} from './scenes.mjs';

const asked = process.argv.length > 2 ? process.argv.slice(2) : ['gallery', 'docs'];
const wanted = asked.flatMap((name) => ({gallery: scenes, docs})[name] ?? [name]);
for (const name of wanted)
  if (!scenes.includes(name) && !docs.includes(name))
    throw new Error(`${name}: there is no such picture; there are ${[...scenes, ...docs].join(', ')}`);

await studio(async (at) => {
  const moving = wanted.filter((name) => scenes.includes(name));
  if (moving.length > 0) {
    const page = await pageFor(at);
    for (const name of moving) await record(at, page, name);
    await page.context().close();
  }
  for (const name of wanted.filter((one) => docs.includes(one))) await picture(at, name);
});
