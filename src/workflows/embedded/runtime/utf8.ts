const REPLACEMENT: u32 = 0xfffd;

/** Decodes UTF-8. Invalid bytes become U+FFFD in the same way as in browsers and Node.js. */
export function decodeUtf8(start: usize, length: i32): string {
  if (length <= 0) return '';
  // Each byte yields at most one UTF-16 code unit.
  const text = __new((<usize>length) << 1, idof<String>());
  const end = start + length;
  let at = start;
  let to = text;
  while (at < end) {
    const lead: u32 = load<u8>(at++);
    if (lead < 0x80) {
      store<u16>(to, <u16>lead);
      to += 2;
      continue;
    }
    let code = lead;
    let missing = 0;
    // The range of the second byte excludes overlong encodings and surrogates.
    let lowest: u32 = 0x80;
    let highest: u32 = 0xbf;
    if (lead >= 0xc2 && lead <= 0xdf) {
      missing = 1;
      code = lead & 0x1f;
    } else if (lead >= 0xe0 && lead <= 0xef) {
      missing = 2;
      code = lead & 0x0f;
      if (lead == 0xe0) lowest = 0xa0;
      if (lead == 0xed) highest = 0x9f;
    } else if (lead >= 0xf0 && lead <= 0xf4) {
      missing = 3;
      code = lead & 0x07;
      if (lead == 0xf0) lowest = 0x90;
      if (lead == 0xf4) highest = 0x8f;
    } else {
      code = REPLACEMENT;
    }
    while (missing > 0) {
      const next: u32 = at < end ? load<u8>(at) : 0;
      if (next < lowest || next > highest) {
        code = REPLACEMENT;
        break;
      }
      lowest = 0x80;
      highest = 0xbf;
      code = (code << 6) | (next & 0x3f);
      at++;
      missing--;
    }
    if (code > 0xffff) {
      code -= 0x10000;
      store<u16>(to, <u16>(0xd800 | (code >> 10)));
      to += 2;
      code = 0xdc00 | (code & 0x3ff);
    }
    store<u16>(to, <u16>code);
    to += 2;
  }
  return changetype<string>(__renew(text, to - text));
}

/** Returns the code point at a code unit; U+FFFD for a lone surrogate. */
function codeAt(text: string, index: i32): u32 {
  const code: u32 = load<u16>(changetype<usize>(text) + ((<usize>index) << 1));
  if ((code & 0xf800) != 0xd800) return code;
  if (code >= 0xdc00 || index + 1 >= text.length) return REPLACEMENT;
  const low: u32 = load<u16>(changetype<usize>(text) + ((<usize>index + 1) << 1));
  return (low & 0xfc00) == 0xdc00 ? 0x10000 + ((code & 0x3ff) << 10) + (low & 0x3ff) : REPLACEMENT;
}

/** Returns the UTF-8 length of a text in bytes. Lone surrogates are encoded as U+FFFD. */
export function lengthInUtf8(text: string): i32 {
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const code = codeAt(text, i);
    if (code > 0xffff) i++;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code <= 0xffff ? 3 : 4;
  }
  return bytes;
}

/** Encodes a text as UTF-8 at an address with at least `lengthInUtf8` bytes. Returns the number of bytes written. */
export function encodeUtf8(text: string, start: usize): i32 {
  let to = start;
  for (let i = 0; i < text.length; i++) {
    const code = codeAt(text, i);
    if (code < 0x80) {
      store<u8>(to++, <u8>code);
      continue;
    }
    let shift: u32 = 6;
    if (code < 0x800) {
      store<u8>(to++, <u8>(0xc0 | (code >> 6)));
    } else if (code <= 0xffff) {
      store<u8>(to++, <u8>(0xe0 | (code >> 12)));
      shift = 12;
    } else {
      i++;
      store<u8>(to++, <u8>(0xf0 | (code >> 18)));
      shift = 18;
    }
    while (shift > 0) {
      shift -= 6;
      store<u8>(to++, <u8>(0x80 | ((code >> shift) & 0x3f)));
    }
  }
  return <i32>(to - start);
}
