/** Block size of both digests in bytes. */
const BLOCK = 64;

/** Pads a message for both digests: its bytes, a 1 bit, zeros, and its length in bits. */
function padded(message: StaticArray<u8>, bigEndian: bool): StaticArray<u8> {
  const length = message.length;
  const padded = new StaticArray<u8>(((length + 8) / BLOCK + 1) * BLOCK);
  memory.copy(changetype<usize>(padded), changetype<usize>(message), length);
  padded[length] = 0x80;
  const bits = (<u64>length) << 3;
  store<u64>(changetype<usize>(padded) + padded.length - 8, bigEndian ? bswap<u64>(bits) : bits);
  return padded;
}

/** Sine table of the steps, defined by RFC 1321. */
const MD5_SINES = memory.data<u32>([
  0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501, 0x698098d8,
  0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821, 0xf61e2562, 0xc040b340,
  0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8, 0x21e1cde6, 0xc33707d6, 0xf4d50d87,
  0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a, 0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c,
  0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70, 0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039,
  0xe6db99e5, 0x1fa27cf8, 0xc4ac5665, 0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92,
  0xffeff47d, 0x85845dd1, 0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb,
  0xeb86d391,
]);
const MD5_TURNS = memory.data<u8>([7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]);

export function md5(message: StaticArray<u8>): StaticArray<u8> {
  const bytes = padded(message, false);
  const digest = new StaticArray<u8>(16);
  const state = changetype<usize>(digest);
  store<u32>(state, 0x67452301);
  store<u32>(state, 0xefcdab89, 4);
  store<u32>(state, 0x98badcfe, 8);
  store<u32>(state, 0x10325476, 12);
  for (let block = 0; block < bytes.length; block += BLOCK) {
    let a = load<u32>(state);
    let b = load<u32>(state, 4);
    let c = load<u32>(state, 8);
    let d = load<u32>(state, 12);
    for (let i = 0; i < 64; i++) {
      let mixed: u32;
      let word: i32;
      if (i < 16) {
        mixed = (b & c) | (~b & d);
        word = i;
      } else if (i < 32) {
        mixed = (d & b) | (~d & c);
        word = (5 * i + 1) & 15;
      } else if (i < 48) {
        mixed = b ^ c ^ d;
        word = (3 * i + 5) & 15;
      } else {
        mixed = c ^ (b | ~d);
        word = (7 * i) & 15;
      }
      mixed +=
        a + load<u32>(MD5_SINES + (i << 2)) + load<u32>(changetype<usize>(bytes) + block + (word << 2));
      a = d;
      d = c;
      c = b;
      b += rotl<u32>(mixed, load<u8>(MD5_TURNS + ((i >> 4) << 2) + (i & 3)));
    }
    add(state, a);
    add(state + 4, b);
    add(state + 8, c);
    add(state + 12, d);
  }
  return digest;
}

export function sha1(message: StaticArray<u8>): StaticArray<u8> {
  const bytes = padded(message, true);
  const words = new StaticArray<u32>(80);
  const digest = new StaticArray<u8>(20);
  const state = changetype<usize>(digest);
  store<u32>(state, 0x67452301);
  store<u32>(state, 0xefcdab89, 4);
  store<u32>(state, 0x98badcfe, 8);
  store<u32>(state, 0x10325476, 12);
  store<u32>(state, 0xc3d2e1f0, 16);
  for (let block = 0; block < bytes.length; block += BLOCK) {
    let a = load<u32>(state);
    let b = load<u32>(state, 4);
    let c = load<u32>(state, 8);
    let d = load<u32>(state, 12);
    let e = load<u32>(state, 16);
    for (let i = 0; i < 80; i++) {
      words[i] =
        i < 16
          ? bswap<u32>(load<u32>(changetype<usize>(bytes) + block + (i << 2)))
          : rotl<u32>(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
      let mixed: u32;
      if (i < 20) mixed = ((b & c) | (~b & d)) + 0x5a827999;
      else if (i < 40) mixed = (b ^ c ^ d) + 0x6ed9eba1;
      else if (i < 60) mixed = ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
      else mixed = (b ^ c ^ d) + 0xca62c1d6;
      const next = rotl<u32>(a, 5) + mixed + e + words[i];
      e = d;
      d = c;
      c = rotl<u32>(b, 30);
      b = a;
      a = next;
    }
    add(state, a);
    add(state + 4, b);
    add(state + 8, c);
    add(state + 12, d);
    add(state + 16, e);
  }
  for (let i = 0; i < 20; i += 4) store<u32>(state + i, bswap<u32>(load<u32>(state + i)));
  return digest;
}

function add(at: usize, value: u32): void {
  store<u32>(at, load<u32>(at) + value);
}
