// A record as differences from the one before it (docs/concepts/twins.md, Bytes):
//
//     C1  { same  changed  bytes × changed } …        until as many are there as the record before has

/** A byte that does not begin a MessagePack value. */
export const PATCH = 0xc1;

/** The record; null if the bytes are not valid differences from that record. */
export function patched(patch: Uint8Array, before: Uint8Array): Uint8Array | null {
  const after = before.slice();
  let at = 1;
  // Seven bits in each byte, the lowest first. −1: malformed, or more than is left of the record.
  const count = (most: number): number => {
    let value = 0;
    for (let factor = 1; at < patch.length && factor <= 2 ** 28; factor *= 128) {
      const byte = patch[at++]!;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) {
        return value <= most ? value : -1;
      }
    }
    return -1;
  };
  if (patch[0] !== PATCH) {
    return null;
  }
  for (let done = 0; done < after.length; ) {
    const same = count(after.length - done);
    const changed = same < 0 ? -1 : count(after.length - done - same);
    if (changed < 0 || same + changed === 0 || changed > patch.length - at) {
      return null;
    }
    after.set(patch.subarray(at, at + changed), done + same);
    done += same + changed;
    at += changed;
  }
  return at === patch.length ? after : null;
}
