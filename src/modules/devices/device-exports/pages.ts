import { Readable } from 'node:stream';
import type { JobContext } from '../../../platform/jobs/on-job.js';

/** Yields pages of rows in the order of their IDs, after `start`; `find` returns the rows after an ID. */
export async function* pagesOf<T extends { id: string }>(
  find: (after: string) => Promise<T[]>,
  { signal }: JobContext,
  start = '',
): AsyncGenerator<T[]> {
  for (let after = start; ;) {
    signal.throwIfAborted();
    const page = await find(after);
    if (page.length === 0) return;
    yield page;
    after = page.at(-1)!.id;
  }
}

/** Returns text as a byte stream; the next part is requested as the stream is read. */
export const streamOf = (text: AsyncIterable<string>): Readable =>
  Readable.from(bytesOf(text), { objectMode: false });

/** Encodes text as bytes. */
export async function* bytesOf(text: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const part of text) yield Buffer.from(part);
}
