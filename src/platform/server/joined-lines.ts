import { pino, type DestinationStream } from 'pino';

/** Maximum number of characters that wait to be written, and of milliseconds that they wait. */
const MAX_LENGTH = 32 * 1024;
const INTERVAL_MS = 250;

/**
 * Opens standard output for many lines, which are written together: four times a second, at 32 KiB, and on exit. The
 * stream could join lines too, but measures all of them again for each one.
 */
export function openJoinedLines(): DestinationStream {
  let lines = '';
  const flush = (): void => {
    if (lines === '') return;
    const text = lines;
    lines = '';
    output.write(text);
  };
  // Called before the listeners of the stream, which write the rest of it.
  process.on('beforeExit', flush).on('exit', flush);
  const output = pino.destination({ sync: false });
  setInterval(flush, INTERVAL_MS).unref();
  return {
    write: (line) => {
      lines += line;
      if (lines.length >= MAX_LENGTH) flush();
    },
  };
}
