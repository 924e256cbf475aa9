import { once } from 'node:events';
import type { ReadStream, WriteStream } from 'node:fs';

/**
 * Does something with the stream of a file once that is open, and closes it. A file that cannot be opened fails before anything is
 * begun: to whoever is sent it, or has sent what is for it, that would look like a fault of the other side.
 */
export async function whileOpen<Stream extends ReadStream | WriteStream, T>(
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
