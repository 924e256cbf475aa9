import { extname } from 'node:path/posix';

const LONGEST = 100;
/** What Windows opens as a device, whatever its ending. */
const DEVICES = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/** A name as part of a path: what is no letter, digit or `-` of ASCII is `_`. */
export function pathPart(name: string): string {
  const plain = name.slice(0, LONGEST).replace(/[^a-zA-Z0-9-]/g, '_');
  return DEVICES.test(plain) ? `${plain}_` : plain;
}

/** A name of a file as it is, but for what file systems do not take. */
export function filePart(name: string): string {
  const plain = name.replace(/[<>:"|?*\\]|[. ]$/g, '_');
  return DEVICES.test(plain.split('.')[0]!) ? `_${plain}` : plain;
}

/** The paths of a bundle: each once, also where upper and lower case are one. */
export class BundlePaths {
  private readonly taken = new Set<string>();

  /** The path, with a number before its ending where it is taken. */
  claim(path: string): string {
    const ending = extname(path);
    const stem = path.slice(0, path.length - ending.length);
    let claimed = path;
    for (let n = 2; this.taken.has(claimed.toLowerCase()); n++) claimed = `${stem}_${n}${ending}`;
    this.taken.add(claimed.toLowerCase());
    return claimed;
  }
}
