import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { holdCallback } from '../contract/pushed.js';

/** A callback as received. */
export interface ReceivedCallback {
  headers: IncomingHttpHeaders;
  body: string;
}

/** An external receiver of callbacks. */
export class CallbackReceiver {
  readonly received: ReceivedCallback[] = [];
  /** Statuses of the next responses, then 200; `hang` never responds. */
  answers: (number | 'hang')[] = [];
  private readonly server: Server = createServer((request, response) => {
    void text(request).then((body) => {
      this.received.push({ headers: request.headers, body });
      const answer = this.answers.shift() ?? 200;
      if (answer !== 'hang')
        response.writeHead(answer, { location: `${this.origin}/elsewhere` }).end('ignored');
    });
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return this.origin;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Returns the JSON bodies of the callbacks of a job, which must match the document. */
  told(jobId: string): any[] {
    const bodies = this.received.map(({ body }) => JSON.parse(body) as Parameters<typeof holdCallback>[0]);
    const told = bodies.filter(({ data }) => (data as { jobId: string }).jobId === jobId);
    told.forEach(holdCallback);
    return told;
  }
}
