import { GitFault } from './git-fault.js';

/** Ends a part of a conversation with a Git server. */
export const FLUSH = '0000';
const LENGTH_BYTES = 4;
/** What lines say that are more than data: 0 ends a part, the two after it structure newer protocols. */
const LEAST_LENGTH = 4;

/** A line as Git's protocols write it: its length in four hexadecimal digits, and then the text. */
export const pktLine = (text: string): string =>
  (Buffer.byteLength(text) + LENGTH_BYTES).toString(16).padStart(LENGTH_BYTES, '0') + text;

/** The lines of an answer; nothing for the end of a part. A line has at most 65,531 bytes. */
export async function* pktLines(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer | undefined> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of content) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    while (rest.length - at >= LENGTH_BYTES) {
      const length = lengthOf(rest.toString('latin1', at, at + LENGTH_BYTES));
      if (length === 0) yield undefined;
      else if (rest.length - at < length) break;
      else yield rest.subarray(at + LENGTH_BYTES, at + length);
      at += length || LENGTH_BYTES;
    }
    rest = rest.subarray(at);
  }
  if (rest.length > 0) throw new GitFault('access', 'leads to a repository whose answer breaks off');
}

function lengthOf(digits: string): number {
  const length = /^[\da-f]{4}$/i.test(digits) ? parseInt(digits, 16) : 1;
  if (length !== 0 && length < LEAST_LENGTH)
    throw new GitFault('access', 'leads to a server that does not answer as Git servers do');
  return length;
}

/** A text of a server as messages show it: one line of printable characters, and not much of it. */
export const plainText = (text: string): string =>
  text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
    .slice(0, 200)
    .toWellFormed();
