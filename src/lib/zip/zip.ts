import { Readable, type PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** A file to add to a zip archive. */
export interface ZippedFile {
  name: string;
  content: Readable;
  /** Whether the file may be 4 GiB or larger. */
  isHuge?: boolean;
}

/**
 * Returns a zip archive as a stream, which starts when it is first read. Files are requested one after the other, so
 * that only one is open at a time. A failing file or stream ends the archive with its error. `modified` is the
 * modification time of all files; default: now.
 */
export function createZip(files: AsyncIterable<ZippedFile>, modified = new Date()): Readable {
  return Readable.from(bytesOf(files, modified), { objectMode: false });
}

async function* bytesOf(files: AsyncIterable<ZippedFile>, modified: Date): AsyncGenerator<Buffer> {
  const zip = new ZipFile();
  const output = zip.outputStream as PassThrough;
  const fail = (error: Error): void => void output.destroy(error);
  zip.on('error', fail);
  addAll(zip, output, files, modified).then(() => zip.end(), fail);
  yield* output as AsyncIterable<Buffer>;
}

async function addAll(
  zip: ZipFile,
  output: PassThrough,
  files: AsyncIterable<ZippedFile>,
  mtime: Date,
): Promise<void> {
  for await (const { name, content, isHuge } of files) {
    // The content would otherwise never be read to its end.
    const stop = () => content.destroy();
    output.once('close', stop);
    if (output.destroyed) stop();
    zip.addReadStream(content, name, { mtime, forceZip64Format: isHuge });
    await finished(content);
    output.off('close', stop);
  }
}
