import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import yauzl from 'yauzl';
import { createZip } from '../../src/lib/zip/zip.js';

/** Files of a zip file by path, in order. */
export type ZippedContents = Readonly<Record<string, string | Buffer>>;

/** Creates a zip file in the way the platform does. */
export function zipOf(contents: ZippedContents): Promise<Buffer> {
  async function* files() {
    for (const [name, content] of Object.entries(contents))
      yield { name, content: Readable.from([Buffer.from(content)], { objectMode: false }) };
  }
  return buffer(createZip(files(), new Date('2026-01-01T00:00:00Z')));
}

/** Returns the files of a zip file by name, as text. */
export async function unzipped(bytes: Buffer): Promise<Record<string, string>> {
  const files = Object.entries(await unzippedBytes(bytes));
  return Object.fromEntries(files.map(([name, content]) => [name, content.toString()]));
}

/** Returns the files of a zip file by name, read with another library. */
export async function unzippedBytes(bytes: Buffer): Promise<Record<string, Buffer>> {
  const open = (done: (error: Error | null, zip: yauzl.ZipFile) => void) =>
    yauzl.fromBuffer(bytes, { lazyEntries: true }, done);
  const zip = await promisify(open)();
  const files: Record<string, Buffer> = {};
  await new Promise<void>((resolve, reject) => {
    zip.on('end', resolve).on('error', reject);
    zip.on('entry', (entry: yauzl.Entry) => {
      zip.openReadStream(entry, (error, stream) => {
        if (error) return reject(error);
        buffer(stream).then((content) => {
          files[entry.fileName] = content;
          zip.readEntry();
        }, reject);
      });
    });
    zip.readEntry();
  });
  return files;
}

const LISTED = Buffer.from('PK\x01\x02', 'latin1');
const NAME_AT = 46;

/** Modifies the central directory entry of a file in a zip file; `change` receives the entry from its signature on. */
export function listedAs(zip: Buffer, name: string, change: (entry: Buffer) => void): Buffer {
  const changed = Buffer.from(zip);
  for (let at = changed.indexOf(LISTED); at >= 0; at = changed.indexOf(LISTED, at + 4)) {
    const entry = changed.subarray(at);
    const length = entry.readUInt16LE(28);
    if (entry.subarray(NAME_AT, NAME_AT + length).toString('latin1') === name) change(entry);
  }
  return changed;
}

/** Offsets of the fields in an entry of the central directory. */
export const LISTED_AT = {
  madeBy: 4,
  flags: 8,
  method: 10,
  crc: 16,
  packed: 20,
  size: 24,
  mode: 40,
  offset: 42,
  name: NAME_AT,
};
