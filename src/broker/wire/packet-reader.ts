import { PACKET, ProtocolError } from './packets.js';

/** Maximum size of a message in bytes. */
export const MAX_PAYLOAD_BYTES = 256 * 1024;
/** Longest topic of the protocol, its length and the message ID. */
const MAX_PUBLISH_HEAD = 2 + 65_535 + 2;
/** Allows a last will of almost the same size. */
const MAX_CONNECT_BYTES = 64 * 1024;
const MAX_SUBSCRIBE_BYTES = 64 * 1024;

/** Maximum length of the rest of a packet by type; a type that is not listed is not for servers. */
const MAX_LENGTHS: Readonly<Record<number, number>> = {
  [PACKET.connect]: MAX_CONNECT_BYTES,
  [PACKET.publish]: MAX_PAYLOAD_BYTES + MAX_PUBLISH_HEAD,
  [PACKET.puback]: 2,
  [PACKET.subscribe]: MAX_SUBSCRIBE_BYTES,
  [PACKET.unsubscribe]: MAX_SUBSCRIBE_BYTES,
  [PACKET.pingreq]: 0,
  [PACKET.disconnect]: 0,
};
/** Packets of other types have flags of their own, or none. */
const FLAGS: Readonly<Record<number, number>> = { [PACKET.subscribe]: 2, [PACKET.unsubscribe]: 2 };

const NOTHING = Buffer.alloc(0);

/** A packet without its length: the first byte, the rest, and all bytes. */
export interface RawPacket {
  type: number;
  flags: number;
  body: Buffer;
  bytes: Buffer;
}

/**
 * Splits what a client sends into packets. The length of a packet is checked before it is received, so a connection
 * holds at most one packet and what arrived with it.
 */
export class PacketReader {
  /** The received bytes. May have room for more. */
  private held: Buffer = NOTHING;
  private size = 0;
  /** Number of bytes without which the next packet cannot be complete. */
  private needed = 2;

  /** Number of bytes that are no complete packet yet. */
  get heldBytes(): number {
    return this.size;
  }

  /** Copies tiny chunks together, because each of them takes far more memory than its bytes. */
  push(chunk: Buffer): void {
    const size = this.size + chunk.length;
    if (this.size === 0) this.held = chunk;
    else {
      if (size > this.held.length) {
        const larger = Buffer.allocUnsafe(Math.max(size, Math.min(2 * this.size, this.needed)));
        this.held.copy(larger, 0, 0, this.size);
        this.held = larger;
      }
      chunk.copy(this.held, this.size);
    }
    this.size = size;
  }

  /** Returns the next complete packet. Throws a `ProtocolError` as soon as one is not acceptable. */
  next(): RawPacket | undefined {
    if (this.size < this.needed) return undefined;
    const bytes = this.held.subarray(0, this.size);
    const head = headOf(bytes);
    const end = head ? head.start + head.length : this.size + 1;
    if (!head || end > this.size) {
      this.needed = end;
      return undefined;
    }
    this.held = end < this.size ? bytes.subarray(end) : NOTHING;
    this.size -= end;
    this.needed = 2;
    const { type, flags, start } = head;
    return { type, flags, body: bytes.subarray(start, end), bytes: bytes.subarray(0, end) };
  }
}

/** Reads the type, the flags, and the length and start of the rest; `undefined` if the length is incomplete. */
function headOf(
  bytes: Buffer,
): (Pick<RawPacket, 'type' | 'flags'> & { start: number; length: number }) | undefined {
  const first = bytes[0]!;
  const [type, flags] = [first >> 4, first & 15];
  const max = MAX_LENGTHS[type];
  if (max === undefined || (type !== PACKET.publish && flags !== (FLAGS[type] ?? 0)))
    throw new ProtocolError();
  let length = 0;
  for (let at = 1; at <= 4; at++) {
    const byte = bytes[at];
    if (byte === undefined) return undefined;
    length += (byte & 127) * 128 ** (at - 1);
    if (length > max) throw new ProtocolError(type === PACKET.publish ? 'Message too large' : undefined);
    if (byte < 128) return { type, flags, start: at + 1, length };
  }
  throw new ProtocolError();
}
