import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { waitUntil } from '../setup/until.js';

/** An event as received. */
export interface ReadEvent {
  id: string;
  event: string;
  data: any;
}

/** Reads a stream of server-sent events as it arrives. */
export class EventReader {
  readonly events: ReadEvent[] = [];
  /** Number of comment lines, which the server sends as heartbeats. */
  comments = 0;
  isOver = false;
  private rest = '';

  private constructor(
    private readonly call: ClientRequest,
    readonly response: IncomingMessage,
  ) {
    response.setEncoding('utf8');
    response.on('data', (text: string) => this.take(text));
    response.on('error', () => undefined);
    response.on('close', () => (this.isOver = true));
  }

  /** Resolves when the response head arrives, whatever its status. */
  static open(
    url: string,
    token: string,
    { after, headers = {} }: { after?: string; headers?: Record<string, string> } = {},
  ): Promise<EventReader> {
    return new Promise((resolve, reject) => {
      const call = request(url, {
        agent: false,
        headers: {
          authorization: `Bearer ${token}`,
          accept: 'text/event-stream',
          'accept-encoding': 'gzip, br',
          ...(after ? { 'last-event-id': after } : {}),
          ...headers,
        },
      });
      call.on('response', (response) => resolve(new EventReader(call, response)));
      call.on('error', reject);
      call.end();
    });
  }

  get status(): number {
    return this.response.statusCode!;
  }

  /** Resolves when this many events have arrived. */
  async reads(count: number): Promise<ReadEvent[]> {
    await waitUntil(async () => this.events.length >= count);
    return this.events;
  }

  /** Resolves when the stream has ended. The death of a process is noticed after ten seconds, on a busy machine later. */
  ends(patienceMs?: number): Promise<void> {
    return waitUntil(async () => this.isOver, patienceMs);
  }

  /** Stops reading, as a hanging client would; the connection stays open. */
  stall(): void {
    this.response.pause();
  }

  close(): void {
    this.call.destroy();
  }

  private take(text: string): void {
    const parts = (this.rest + text).split('\n\n');
    this.rest = parts.pop()!;
    for (const part of parts) this.read(part);
  }

  private read(part: string): void {
    if (part.startsWith(':')) return void this.comments++;
    const fields = Object.fromEntries(part.split('\n').map((line) => line.split(/: (.*)/s)));
    if (fields.event) this.events.push({ ...fields, data: JSON.parse(fields.data) } as ReadEvent);
  }
}
