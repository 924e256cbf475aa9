import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import type { FileRange, FileWriteMode } from '../../workflows/engine/edge-port.js';
import { MAX_PAYLOAD_BYTES } from '../../workflows/engine/limits.js';
import { RunFault } from '../../workflows/engine/run-error.js';

/** Pipes and devices must not occupy a thread until somebody writes to them. */
const READ = constants.O_RDONLY | constants.O_NONBLOCK;
const CHUNK = 64 * 1024;

/** Reads a part of a file, of at most 5 MiB. Throws a `RunFault` with the code of the system, such as `ENOENT`. */
export const readEdgeFile = (path: string, { start, length }: FileRange): Promise<Buffer> =>
  withFile(path, READ, async (file) => {
    const { size } = await file.stat();
    const from = start < 0 ? Math.max(0, size + start) : start;
    const limit = Math.min(length ?? Infinity, MAX_PAYLOAD_BYTES + 1);
    const chunks: Buffer[] = [];
    let read = 0;
    while (read < limit) {
      const { bytesRead, buffer } = await file.read(
        Buffer.alloc(Math.min(CHUNK, limit - read)),
        0,
        undefined,
        from + read,
      );
      if (bytesRead === 0) break;
      chunks.push(buffer.subarray(0, bytesRead));
      read += bytesRead;
    }
    if (read > MAX_PAYLOAD_BYTES)
      throw new RunFault('PayloadTooLarge', `The file has more than ${MAX_PAYLOAD_BYTES} bytes`);
    return Buffer.concat(chunks);
  });

/** Writes a file. Throws a `RunFault` with the code of the system. */
export const writeEdgeFile = (
  path: string,
  content: Buffer,
  { appends, isNew }: FileWriteMode,
): Promise<void> =>
  withFile(path, `${appends ? 'a' : 'w'}${isNew ? 'x' : ''}`, (file) => file.writeFile(content));

async function withFile<T>(
  path: string,
  flags: number | string,
  use: (file: FileHandle) => Promise<T>,
): Promise<T> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, flags);
    return await use(file);
  } catch (error) {
    if (error instanceof RunFault) throw error;
    const { code = 'FILE_ERROR', message } = error as NodeJS.ErrnoException;
    throw new RunFault(code, message);
  } finally {
    await file?.close();
  }
}
