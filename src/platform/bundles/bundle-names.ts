import { extname } from 'node:path/posix';

const MAX_LENGTH = 100;
/** Names that Windows reserves for devices, with any extension. */
const RESERVED_DEVICE_NAMES = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/** Converts a name to a path segment: all characters except ASCII letters, digits and `-` become `_`. */
export function pathPart(name: string): string {
  const plain = name.slice(0, MAX_LENGTH).replace(/[^a-zA-Z0-9-]/g, '_');
  return RESERVED_DEVICE_NAMES.test(plain) ? `${plain}_` : plain;
}

/** Returns a file name with the characters replaced that file systems do not allow. */
export function filePart(name: string): string {
  const plain = name.replace(/[<>:"|?*\\]|[. ]$/g, '_');
  return RESERVED_DEVICE_NAMES.test(plain.split('.')[0]!) ? `_${plain}` : plain;
}

/** Paths used in a bundle. Each is unique, ignoring case. */
export class BundlePaths {
  private readonly claimed = new Set<string>();

  /** Returns the path, with a number before its extension if it is already used. */
  claim(path: string): string {
    const ending = extname(path);
    const stem = path.slice(0, path.length - ending.length);
    let claimed = path;
    for (let n = 2; this.claimed.has(claimed.toLowerCase()); n++) claimed = `${stem}_${n}${ending}`;
    this.claimed.add(claimed.toLowerCase());
    return claimed;
  }
}
