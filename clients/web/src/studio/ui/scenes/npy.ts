// NumPy's .npy files: whole and floating numbers, little-endian, in C's order, of any shape.
//
//     "\x93NUMPY" · major u8 · minor u8 · size of the header u16 (1.0) or u32 (2.0, 3.0), little-endian
//     header: a Python dict as text, {'descr': '<f8', 'fortran_order': False, 'shape': (12, 3), }, padded
//     the numbers
const READERS: Readonly<
  Record<string, readonly [bytes: number, read: (view: DataView, at: number) => number]>
> = {
  '<f8': [8, (view, at) => view.getFloat64(at, true)],
  '<f4': [4, (view, at) => view.getFloat32(at, true)],
  '<u4': [4, (view, at) => view.getUint32(at, true)],
  '<i4': [4, (view, at) => view.getInt32(at, true)],
  '<u8': [8, (view, at) => Number(view.getBigUint64(at, true))],
  '<i8': [8, (view, at) => Number(view.getBigInt64(at, true))],
  '<u2': [2, (view, at) => view.getUint16(at, true)],
  '<i2': [2, (view, at) => view.getInt16(at, true)],
  '|u1': [1, (view, at) => view.getUint8(at)],
  '|i1': [1, (view, at) => view.getInt8(at)],
};

// Throws an Error whose words go on after the file's name.
export function readNpy(bytes: ArrayBuffer): Float64Array {
  const view = new DataView(bytes);
  const magic = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
  const major = bytes.byteLength >= 12 ? view.getUint8(6) : 0;
  if (major < 1 || major > 3 || magic.some((byte, i) => view.getUint8(i) !== byte))
    throw new Error('is no .npy file');
  const start = major === 1 ? 10 : 12;
  const size = major === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  if (size > 4096 || start + size > bytes.byteLength)
    throw new Error('has a header that is too long, or cut off');
  const header = new TextDecoder('latin1').decode(new Uint8Array(bytes, start, size));
  const descr = /'descr': *'([^']*)'/.exec(header)?.[1];
  const shape = /'shape': *\(([\d, ]*)\)/.exec(header)?.[1];
  const order = /'fortran_order': *(\w+)/.exec(header)?.[1];
  if (descr === undefined || shape === undefined || order === undefined)
    throw new Error("has a header that is not of numpy's format");
  if (order !== 'False') throw new Error("is in Fortran order; save it with numpy.ascontiguousarray");
  const reader = READERS[descr];
  if (!reader) throw new Error('holds no little-endian numbers of 8 bytes or less');
  const [width, read] = reader;
  const count = shape
    .split(',')
    .filter((part) => part.trim() !== '')
    .reduce((product, part) => product * Number(part), 1);
  if (!(count * width <= bytes.byteLength - start - size)) throw new Error('is shorter than its header says');
  return Float64Array.from({length: count}, (_, i) => read(view, start + size + i * width));
}
