import { once } from 'node:events';
import type { ReadStream, WriteStream } from 'node:fs';

/**
 * Runs a function with the stream of a file once it is open, and closes it afterwards. If the file cannot be opened,
 * fails before any data is transferred, because the other side would appear to be at fault later.
 */
export async function withOpenStream<Stream extends ReadStream | WriteStream, T>(
  stream: Stream,
  work: (stream: Stream) => Promise<T>,
): Promise<T> {
  try {
    await once(stream, 'open');
    return await work(stream);
  } finally {
    stream.destroy();
  }
}
