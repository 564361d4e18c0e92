// In a worker of a page that has the package weft-sim beside it: what machine_pasts told (tests/machine/pasts.c), gone through by the
// machine's module, and the vectors of compressed positions, read by the codec's.
//
// It comes to one hash and one list of numbers after another; who asked has those of native code. On the way it tells where it is.
import {loadCodec, loadMachine, serveMachine} from './weft-sim.js';

const bytesOf = async (name) => new Uint8Array(await (await fetch(name)).arrayBuffer());

// Each part is a letter, a size and that many bytes.
function* partsOf(told) {
  const view = new DataView(told.buffer);
  for (let at = 0; at < told.length; ) {
    const size = view.getUint32(at + 1, true);
    yield [String.fromCharCode(told[at]), told.subarray(at + 5, at + 5 + size)];
    at += 5 + size;
  }
}

// Another thread that takes part; resolves when it is there.
function hire(member) {
  const worker = new Worker(import.meta.url, {type: 'module'});
  worker.postMessage({member});
  return new Promise((resolve, reject) => {
    worker.onmessage = resolve;
    worker.onerror = ({message}) => reject(new Error(message));
  });
}

async function follow(name, told, helped) {
  const module = await loadMachine(name);
  const hashes = [];
  const bodies = [];
  let machine;
  for (const [kind, bytes] of partsOf(told)) {
    if (kind === 'i' || kind === 'd') {
      machine?.close();
      machine = module.open(bytes, kind === 'i' ? 'image' : 'document');
      if (helped && hashes.length === 0) {
        await hire(module.member());
        postMessage({at: 'two threads'});
      }
    } else if (kind === 'r') {
      machine.apply(bytes);
    } else if (kind === 's') {
      machine.step();
    } else if (kind === 'h') {
      hashes.push(`${machine.tick} ${machine.hash()}`);
    } else if (kind === 'p') {
      const id = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
      bodies.push([...new Uint32Array(machine.positions(id).buffer)]);
    }
  }
  machine?.close();
  module.dismiss();
  return {hashes, bodies};
}

const chunkOf = (hex) => Uint8Array.from(hex.match(/../g), (digits) => parseInt(digits, 16));
const bitsOf = (floats) => [...new Uint32Array(floats.buffer, floats.byteOffset, floats.length)];

async function unpack(vectors) {
  const codec = await loadCodec('./weft-codec.wasm');
  const q16 = [...vectors.q16, ...vectors.q16_read].map(({hex, count}) => bitsOf(codec.q16(chunkOf(hex), count)));
  const delta = [...vectors.deltas, ...vectors.read].map(({count, corners, elements, chunks}) => {
    const decoder = codec.decoder({count, corners: corners || 3, indices: elements});
    return chunks.map(({hex}) => bitsOf(decoder.delta(chunkOf(hex))));
  });
  return {q16, delta};
}

async function work() {
  postMessage({at: 'what native code tells'});
  const [told, helped] = [await bytesOf('./pasts'), await bytesOf('./helped')];
  postMessage({at: 'the machine'});
  const alone = await follow('./weft-machine-full.wasm', told, false);
  postMessage({at: 'the machine on two threads'});
  const both = await follow('./weft-machine-threads-full.wasm', helped, true);
  postMessage({at: 'the codec'});
  return {alone, helped: both, unpacked: await unpack(await (await fetch('./vectors')).json())};
}

onmessage = ({data}) => {
  if (data.member !== undefined) {
    postMessage('here');
    serveMachine(data.member);
    return;
  }
  work().then(
    (come) => postMessage(come),
    (error) => postMessage({error: `${error.stack ?? error}`}),
  );
};
