const BLANK_LINE = '\r\n\r\n';

/**
 * Takes the bytes of one connection apart into answers: as much of HTTP/1.1 as a server needs that tells the length of
 * what it sends, and no more, since the generator of load must cost less than what it measures. One answer is under
 * way at a time.
 */
export class AnswerReader {
  private status = 0;
  /** Bytes of the body that are still to come; nothing of the next answer has come while this is 0. */
  private missing = 0;
  /** The beginning of a head whose end is in a later chunk. */
  private begun: Buffer | undefined;

  /** The status of the answer that the chunk completes, if it completes one. Keeps nothing of the chunk itself. */
  read(chunk: Buffer): number | undefined {
    if (this.missing > 0) return this.take(chunk.length);
    const bytes = this.begun ? Buffer.concat([this.begun, chunk]) : chunk;
    const end = bytes.indexOf(BLANK_LINE);
    if (end < 0) {
      this.begun = Buffer.from(bytes);
      return undefined;
    }
    this.begun = undefined;
    const head = bytes.toString('latin1', 0, end);
    this.status = Number(head.slice(9, 12));
    this.missing = lengthOf(head, this.status);
    return this.take(bytes.length - end - BLANK_LINE.length);
  }

  private take(bytes: number): number | undefined {
    this.missing -= bytes;
    if (this.missing < 0) throw new Error('The server sent more than it told');
    return this.missing === 0 ? this.status : undefined;
  }
}

function lengthOf(head: string, status: number): number {
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined && status !== 204 && status !== 304)
    throw new Error(`The server does not tell the length of its answer: ${head.slice(0, 200)}`);
  return Number(length ?? 0);
}
