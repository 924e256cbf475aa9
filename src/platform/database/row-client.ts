import { Socket, type SocketConstructorOpts } from 'node:net';
import type { Readable } from 'node:stream';
import pg, { type ClientConfig } from 'pg';
import { Parser } from 'pg-protocol/dist/parser.js';
import { COUNT_SIZE, EncodedRow, LENGTH_SIZE } from './encoded-row.js';

/** Code of the message with a row in PostgreSQL's protocol. */
const DATA_ROW = 68;

/** Members of the parser that its types hide: a class to extend. */
interface MessageParser {
  buffer: Buffer;
  bufferOffset: number;
  bufferLength: number;
  parse(bytes: Buffer, callback: (message: { name: string }) => void): void;
  handlePacket(offset: number, code: number, length: number, bytes: Buffer): { name: string };
}
const MessageParser = Parser as unknown as new () => MessageParser;

/**
 * A row as it arrived. Only readable until the next message, since the parser reuses its buffer. The driver's own queries
 * read `fields`; pages keep the encoded row, which is cheaper than a string for each value.
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
    const { buffer } = this;
    const fields = new Array<string | null>(buffer.readUInt16BE(this.offset));
    let at = this.offset + COUNT_SIZE;
    for (let i = 0; i < fields.length; i++) {
      const length = buffer.readInt32BE(at);
      at += LENGTH_SIZE;
      fields[i] = length < 0 ? null : buffer.toString('utf8', at, (at += length));
    }
    return fields;
  }

  /** Copies the row. */
  encoded(): EncodedRow {
    const end = this.offset + this.length - LENGTH_SIZE;
    return EncodedRow.of(this.buffer.toString('latin1', this.offset, end));
  }
}

class RowParser extends MessageParser {
  override parse(bytes: Buffer, callback: (message: { name: string }) => void): void {
    super.parse(bytes, callback);
    if (this.buffer !== bytes) return;
    // The beginning of a message that continues in the next bytes, which are read to the same buffer.
    this.buffer = Buffer.from(bytes.subarray(this.bufferOffset, this.bufferOffset + this.bufferLength));
    this.bufferOffset = 0;
  }

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
    super({ stream: socket, ...(typeof config === 'string' ? { connectionString: config } : config) });
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

/** What all connections read to, as each parser is done with it before the next one reads. Node uses this size, too. */
const received = Buffer.allocUnsafeSlow(64 * 1024);

/**
 * Creates a socket that allocates no buffer for each read, unless TLS decrypts it. The types know the option for
 * `connect` only, which `pg` calls itself.
 */
function socket({ ssl }: { ssl?: unknown } = {}): Socket {
  if (ssl) return new Socket();
  const callback = (size: number): boolean => stream.emit('data', received.subarray(0, size));
  const stream: Socket = new Socket({ onread: { buffer: received, callback } } as SocketConstructorOpts);
  return stream;
}
