import type { EventId } from './event-id.js';

/** An event in the format of server-sent events. It is encoded once, and all its readers in a process share the bytes. */
export interface EncodedEvent {
  id: EventId;
  bytes: Buffer;
}

/** JSON text has no line breaks, so it is a single data line. */
export const encodeEvent = (id: EventId, name: string, data: string): EncodedEvent => ({
  id,
  bytes: Buffer.from(`id: ${id}\nevent: ${name}\ndata: ${data}\n\n`),
});

/** Encodes an event that is not kept, so that a client that reconnects cannot ask for those after it. */
export const encodeUnkeptEvent = (name: string, data: string): EncodedEvent => ({
  id: '',
  bytes: Buffer.from(`event: ${name}\ndata: ${data}\n\n`),
});

const DATA = '\ndata: ';

/** Returns the data of an event, for subscribers that are part of the platform. */
export const dataOf = ({ bytes }: EncodedEvent): unknown =>
  JSON.parse(bytes.toString('utf8', bytes.indexOf(DATA) + DATA.length));

/** A client whose events wait until its connection accepts them. */
export interface EventReader {
  /** Ends the connection and releases all events of the reader. */
  disconnect(): void;
}

/** Approximate memory in bytes for each held event, and for each reader that it waits for. */
const EVENT_OVERHEAD = 512;
const READER_OVERHEAD = 64;

/**
 * The events that wait for readers in this process, each counted once. If they exceed `maxBytes`, disconnects the
 * slowest readers, which are those that wait for the oldest event.
 */
export class HeldEvents {
  /** In the order in which the events began to wait. */
  private readonly readers = new Map<EncodedEvent, Set<EventReader>>();
  private held = 0;

  constructor(private readonly maxBytes: number) {}

  /** Approximate number of bytes held. */
  get bytes(): number {
    return this.held;
  }

  /** Holds the event for a reader. May disconnect readers, including this one. */
  add(event: EncodedEvent, reader: EventReader): void {
    const others = this.readers.get(event);
    if (others) others.add(reader);
    else this.readers.set(event, new Set([reader]));
    this.held += READER_OVERHEAD + (others ? 0 : sizeOf(event));
    while (this.held > this.maxBytes) this.disconnectSlowest();
  }

  /** Releases the event for a reader that holds it. */
  release(event: EncodedEvent, reader: EventReader): void {
    const readers = this.readers.get(event);
    if (!readers?.delete(reader)) return;
    this.held -= READER_OVERHEAD;
    if (readers.size > 0) return;
    this.readers.delete(event);
    this.held -= sizeOf(event);
  }

  private disconnectSlowest(): void {
    for (const readers of this.readers.values()) {
      for (const reader of [...readers]) reader.disconnect();
      return;
    }
  }
}

const sizeOf = ({ bytes }: EncodedEvent): number => bytes.length + EVENT_OVERHEAD;
