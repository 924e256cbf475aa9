import { once } from 'node:events';
import type { PassThrough, Readable } from 'node:stream';
import { ZipFile } from 'yazl';

/** A file to put into a zip file. */
export interface ZippedFile {
  name: string;
  content: Readable;
}

/**
 * A zip file as a stream. Files are asked for one after the other, each when the one before it is through, so that no more than one
 * is under way; a file or stream that fails ends it with that error.
 */
export function zipped(files: AsyncIterable<ZippedFile>): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as PassThrough;
  const fail = (error: Error): void => void output.destroy(error);
  zip.on('error', fail);
  addAll(zip, files).then(() => zip.end(), fail);
  return output;
}

async function addAll(zip: ZipFile, files: AsyncIterable<ZippedFile>): Promise<void> {
  for await (const { name, content } of files) {
    const through = once(content, 'end');
    zip.addReadStream(content, name);
    await through;
  }
}
