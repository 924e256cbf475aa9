import { Readable } from 'node:stream';
import type { JobContext } from '../../../platform/jobs/on-job.js';

/** Pages of rows in the order of their ids, from the first to the last; `find` finds those after an id. */
export async function* pagesOf<T extends { id: string }>(
  find: (after: string) => Promise<T[]>,
  { signal }: JobContext,
): AsyncGenerator<T[]> {
  for (let after = ''; ;) {
    signal.throwIfAborted();
    const page = await find(after);
    if (page.length === 0) return;
    yield page;
    after = page.at(-1)!.id;
  }
}

/** Text as a stream of bytes; what comes next is asked for as it is read. */
export const streamOf = (text: AsyncIterable<string>): Readable =>
  Readable.from(bytesOf(text), { objectMode: false });

/** Text as bytes. */
export async function* bytesOf(text: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const part of text) yield Buffer.from(part);
}
