import { createSocket, type Socket } from 'node:dgram';

const TXT = 16;
const HEADER_BYTES = 12;
const NO_SUCH_NAME = 3;

/** A DNS server that answers queries for TXT records over UDP. */
export class DnsServer {
  /** Texts by name. A name without texts does not exist. */
  readonly texts = new Map<string, string[]>();
  /** Names that were asked for. */
  readonly asked: string[] = [];
  /** Whether it ignores queries. */
  isSilent = false;
  private readonly socket: Socket = createSocket('udp4');

  /** Starts the server and returns its `address:port`. */
  async start(): Promise<string> {
    this.socket.on('message', (query, { port, address }) => {
      this.asked.push(nameIn(query).name);
      if (!this.isSilent) this.socket.send(this.answer(query), port, address);
    });
    await new Promise<void>((resolve) => this.socket.bind(0, '127.0.0.1', resolve));
    return `127.0.0.1:${this.socket.address().port}`;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.socket.close(resolve));
  }

  private answer(query: Buffer): Buffer {
    const { name, end } = nameIn(query);
    const texts = this.texts.get(name) ?? [];
    const header = Buffer.from(query.subarray(0, HEADER_BYTES));
    // A response to a recursive query.
    header.writeUInt16BE(0x8180 | (texts.length ? 0 : NO_SUCH_NAME), 2);
    header.writeUInt16BE(texts.length, 6);
    header.writeUInt32BE(0, 8);
    return Buffer.concat([header, query.subarray(HEADER_BYTES, end), ...texts.map(recordOf)]);
  }
}

/** Returns the name in the question of a query, and the end of the question. */
function nameIn(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 5 };
}

/** Returns a TXT record for the name in the question, with the text in parts of at most 20 bytes. */
function recordOf(text: string): Buffer {
  const parts = text.match(/.{1,20}/g)!.flatMap((part) => [Buffer.from([part.length]), Buffer.from(part)]);
  const data = Buffer.concat(parts);
  const head = Buffer.alloc(HEADER_BYTES);
  head.writeUInt16BE(0xc000 | HEADER_BYTES, 0);
  head.writeUInt16BE(TXT, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
