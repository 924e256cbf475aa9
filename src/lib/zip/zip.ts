import { Readable, type PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** A file to put into a zip file. */
export interface ZippedFile {
  name: string;
  content: Readable;
  /** True where it may have 4 GiB or more. */
  isHuge?: boolean;
}

/**
 * A zip file as a stream, begun when it is first read. Files are asked for one after the other, each when the one before it is
 * through, so that no more than one is under way; a file or stream that fails ends it with that error. `modified` is the time of all
 * of them; absent, it is now.
 */
export function zipped(files: AsyncIterable<ZippedFile>, modified = new Date()): Readable {
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
    // Nobody would read it to its end.
    const stop = () => content.destroy();
    output.once('close', stop);
    if (output.destroyed) stop();
    zip.addReadStream(content, name, { mtime, forceZip64Format: isHuge });
    await finished(content);
    output.off('close', stop);
  }
}
