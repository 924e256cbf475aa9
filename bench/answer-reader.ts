const BLANK_LINE = '\r\n\r\n';

/**
 * Splits the bytes of one connection into responses. Implements only the part of HTTP/1.1 that a server with
 * `Content-Length` responses needs, because the load generator must cost less than the server it measures. Handles one
 * response at a time.
 */
export class AnswerReader {
  private status = 0;
  /** Bytes of the body still to come. While this is 0, no part of the next response has arrived. */
  private missing = 0;
  /** Start of a response head that continues in a later chunk. */
  private begun: Buffer | undefined;

  /** Returns the status of the response that the chunk completes, if any. Keeps no reference to the chunk. */
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
    if (this.missing < 0) throw new Error('The server sent more than its Content-Length');
    return this.missing === 0 ? this.status : undefined;
  }
}

function lengthOf(head: string, status: number): number {
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined && status !== 204 && status !== 304)
    throw new Error(`The response has no Content-Length: ${head.slice(0, 200)}`);
  return Number(length ?? 0);
}
