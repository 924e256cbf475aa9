import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { chunksOf, encodingOf } from './chunks.js';
import { textIn, type Driver } from './driver.js';

const POLL_MS = 500;
const READ_BYTES = 256 * 1024;

interface Place {
  inode: number;
  offset: number;
}

/** Fires for new content of a file, from its end on. Follows a file that is replaced, and one that is emptied. */
export const fileTail: Driver = async ({ config, fire, log }) => {
  const path = textIn(config, 'path');
  if (path === '') throw new Error('config.path is required');
  const encoding = encodingOf(textIn(config, 'encoding'));
  const byteLength = textIn(config, 'byteLength');
  const newChunks = () => chunksOf(textIn(config, 'delimiter') || '\n', 'utf8', byteLength);
  let chunks = newChunks();
  // A file that does not exist yet is read from its beginning.
  let place = await placeOf(path);
  let lastError = '';
  let stopped = false;
  let waiting: NodeJS.Timeout;

  /** Reads a part of the new content. Returns whether there may be more. */
  const read = async (): Promise<boolean> => {
    const now = await placeOf(path);
    if (!now) {
      place = undefined;
      return false;
    }
    if (now.inode !== place?.inode || now.offset < place.offset) {
      place = { inode: now.inode, offset: 0 };
      chunks = newChunks();
    }
    const bytes = await readFrom(path, place.offset, Math.min(READ_BYTES, now.offset - place.offset));
    place.offset += bytes.length;
    for (const piece of chunks.add(bytes)) {
      if (stopped) return false;
      fire({ triggerId: path, data: { content: piece.toString(encoding), path } });
    }
    return bytes.length === READ_BYTES;
  };
  const poll = async (): Promise<void> => {
    let hasMore = false;
    try {
      hasMore = await read();
      lastError = '';
    } catch (error) {
      const { message } = error as Error;
      if (message !== lastError) log.warn(`The file ${path} cannot be read: ${message}`);
      lastError = message;
    }
    if (!stopped) waiting = setTimeout(() => void poll(), hasMore ? 0 : POLL_MS);
  };
  waiting = setTimeout(() => void poll(), POLL_MS);
  return () => {
    stopped = true;
    clearTimeout(waiting);
  };
};

/** Returns the end of a file, or `undefined` if it does not exist. */
async function placeOf(path: string): Promise<Place | undefined> {
  try {
    const { ino, size } = await stat(path);
    return { inode: ino, offset: size };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function readFrom(path: string, offset: number, length: number): Promise<Buffer> {
  if (length <= 0) return Buffer.alloc(0);
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, offset);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
