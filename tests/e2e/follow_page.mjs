// What a page does with the web library, without the page: joins a world, streams it, and tells ticks and changes as lines.
//
//     node follow_page.mjs LIBRARY WS URL WORLD
const [library, ws, url, world] = process.argv.slice(2);
const {connect} = await import(library);
const {WebSocket} = await import(ws);
const client = connect({url, WebSocket});
client.onSession((change) => console.log(change));
await client.opened();
await client.call('world.join', {world});
await client.subscribe({world, every: 1, unit: 'tick'}, (frame) => console.log(frame.tick));
process.stdin.on('end', () => {
  client.close();
  process.exit(0);
});
process.stdin.resume();
