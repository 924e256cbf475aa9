import { md5, sha1 } from '../../../embedded/runtime/digests';
import { Run } from '../../../embedded/runtime/run';
import { encodeUtf8, lengthInUtf8 } from '../../../embedded/runtime/utf8';
import { uuidOf } from './ids';

/** Number of hexadecimal digits of a UUID. */
const DIGITS = 32;

/** Returns the UUID of a name in a namespace. Fails the run and returns null if the namespace is not a UUID. */
export function uuidOfMd5(run: Run, namespace: string, name: string): string | null {
  const bytes = bytesOf(run, namespace, name);
  return bytes === null ? null : uuidOf(md5(bytes), 3);
}

export function uuidOfSha1(run: Run, namespace: string, name: string): string | null {
  const bytes = bytesOf(run, namespace, name);
  return bytes === null ? null : uuidOf(sha1(bytes).slice<StaticArray<u8>>(0, 16), 5);
}

/** Returns the concatenated bytes of the namespace and the name. */
function bytesOf(run: Run, namespace: string, name: string): StaticArray<u8> | null {
  const bytes = new StaticArray<u8>(DIGITS / 2 + lengthInUtf8(name));
  if (!writeUuid(namespace, bytes)) {
    run.fail('ValidationError', 'the namespace must be a UUID');
    return null;
  }
  encodeUtf8(name, changetype<usize>(bytes) + DIGITS / 2);
  return bytes;
}

/** Parses a UUID into bytes. Returns whether it is valid. */
function writeUuid(text: string, bytes: StaticArray<u8>): bool {
  if (text.length != 36) return false;
  let digits = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (i == 8 || i == 13 || i == 18 || i == 23) {
      if (unit != 0x2d) return false;
      continue;
    }
    const digit = digitOf(unit);
    if (digit < 0) return false;
    bytes[digits >> 1] = <u8>((bytes[digits >> 1] << 4) | digit);
    digits++;
  }
  return true;
}

function digitOf(unit: i32): i32 {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  const letter = unit | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
