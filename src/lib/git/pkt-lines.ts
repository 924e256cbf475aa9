import { GitFault } from './git-fault.js';

/** Ends a section of the conversation with a Git server. */
export const FLUSH = '0000';
const LENGTH_BYTES = 4;
/** Lengths below this are control lines: 0 ends a section, and the other two structure newer protocols. */
const MIN_LENGTH = 4;
/** Reading this many lines takes half a second, spread over the chunks of a response. */
const MAX_LINES = 1_000_000;

/** Encodes a line for Git's protocols: its length in four hexadecimal digits, followed by the text. */
export const pktLine = (text: string): string =>
  (Buffer.byteLength(text) + LENGTH_BYTES).toString(16).padStart(LENGTH_BYTES, '0') + text;

/**
 * Yields the lines of a response, and `undefined` at the end of a section. A line has at most 65,531 bytes. Throws
 * `GitFault` after `max` lines.
 */
export async function* pktLines(
  content: AsyncIterable<Buffer>,
  max = MAX_LINES,
): AsyncGenerator<Buffer | undefined> {
  let rest: Buffer = Buffer.alloc(0);
  let lines = 0;
  for await (const chunk of content) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    while (rest.length - at >= LENGTH_BYTES) {
      const length = lengthOf(rest.toString('latin1', at, at + LENGTH_BYTES));
      if (++lines > max) throw new GitFault('access', `leads to a server that sends more than ${max} lines`);
      if (length === 0) yield undefined;
      else if (rest.length - at < length) break;
      else yield rest.subarray(at + LENGTH_BYTES, at + length);
      at += length || LENGTH_BYTES;
    }
    rest = rest.subarray(at);
  }
  if (rest.length > 0) throw new GitFault('access', 'leads to a repository whose response is incomplete');
}

function lengthOf(digits: string): number {
  const length = /^[\da-f]{4}$/i.test(digits) ? parseInt(digits, 16) : 1;
  if (length !== 0 && length < MIN_LENGTH)
    throw new GitFault('access', 'leads to a server that does not respond like a Git server');
  return length;
}

/** Returns a server's text for display in messages: a single, short line of printable characters. */
export const plainText = (text: string): string =>
  text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
    .slice(0, 200)
    .toWellFormed();
