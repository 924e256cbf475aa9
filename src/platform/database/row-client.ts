import type { Readable } from 'node:stream';
import pg, { type ClientConfig } from 'pg';
import { Parser } from 'pg-protocol/dist/parser.js';
import { EncodedRow, LENGTH_SIZE } from './encoded-row.js';

/** Code of the message with a row in PostgreSQL's protocol. */
const DATA_ROW = 68;

/** Members of the parser that its types hide: a class to extend. */
interface MessageParser {
  parse(bytes: Buffer, callback: (message: { name: string }) => void): void;
  handlePacket(offset: number, code: number, length: number, bytes: Buffer): { name: string };
}
const MessageParser = Parser as unknown as new () => MessageParser;

/**
 * A row as it arrived. Only readable until the next message, since the parser reuses its buffer. The driver's own queries
 * read `fields`; pages copy the bytes, which is cheaper than a string for each value.
 */
export class RowMessage {
  readonly name = 'dataRow';

  /** `length` is that of the message, without its code. */
  constructor(
    readonly length: number,
    private readonly buffer: Buffer,
    private readonly offset: number,
  ) {}

  get fields(): (string | null)[] {
    return EncodedRow.at(this.buffer, this.offset, this.size).texts();
  }

  /** Number of bytes that a copy needs. */
  get size(): number {
    return this.length - LENGTH_SIZE;
  }

  /** Copies the row to a position of a buffer. */
  copyTo(target: Buffer, position: number): EncodedRow {
    this.buffer.copy(target, position, this.offset, this.offset + this.size);
    return EncodedRow.at(target, position, this.size);
  }
}

class RowParser extends MessageParser {
  override handlePacket(offset: number, code: number, length: number, bytes: Buffer): { name: string } {
    return code === DATA_ROW
      ? new RowMessage(length, bytes, offset)
      : super.handlePacket(offset, code, length, bytes);
  }
}

/** Members of a `pg` connection that its types omit. */
interface Connection {
  attachListeners(stream: Readable): void;
  emit(event: string, message: unknown): void;
}

/** A client of `pg` that decodes the values of a row only if the query reads them. */
export class RowClient extends pg.Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    const { connection } = this as unknown as { connection: Connection };
    connection.attachListeners = (stream) => {
      const parser = new RowParser();
      stream.on('data', (bytes: Buffer) =>
        parser.parse(bytes, (message) =>
          connection.emit(message.name === 'error' ? 'errorMessage' : message.name, message),
        ),
      );
    };
  }
}
