import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A callback as received; retries have the same ID. */
export interface ReceivedCallback {
  id: string;
  status: string;
}

/** External receiver of callbacks, with a unique path for each request. */
export class Receiver {
  private readonly received = new Map<string, ReceivedCallback[]>();
  private readonly server = createServer((request, response) => {
    void text(request).then(
      (body) => {
        const path = request.url!;
        const { data } = JSON.parse(body) as { data: { status: string } };
        const one = { id: String(request.headers['webhook-id']), status: data.status };
        this.received.set(path, [...this.of(path), one]);
        response.end();
      },
      () => response.destroy(),
    );
  });

  /** Starts the receiver and returns its origin. */
  async start(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  of(path: string): readonly ReceivedCallback[] {
    return this.received.get(path) ?? [];
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
