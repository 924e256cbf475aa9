import { once } from 'node:events';
import { Agent, createServer, request, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** Milliseconds between two readiness checks of a process. */
const POLL_INTERVAL_MS = 100;

/**
 * A minimal load balancer for processes of the platform. It takes ready processes in turn, keeps connections to them
 * open, and tries the next process only if the connection was refused. All other errors result in `502`.
 */
export class FailoverProxy {
  private readonly agent = new Agent({ keepAlive: true });
  private readonly ready = new Set<string>();
  private readonly looking: NodeJS.Timeout;
  private readonly server: Server;
  private turn = 0;

  /** Processes may be added or removed by URL at any time. */
  constructor(readonly processes: Set<string>) {
    this.server = createServer((inner, outer) => {
      void text(inner).then((body) => {
        const targets = [...this.ready].filter((url) => processes.has(url));
        const first = targets.length ? this.turn++ % targets.length : 0;
        const order = [...targets.slice(first), ...targets.slice(0, first)];
        this.forward(inner, body, order).then(
          (answer) =>
            answer.pipe(outer.writeHead(answer.statusCode!, { 'content-type': 'application/json' })),
          (error: Error) => outer.writeHead(502).end(JSON.stringify(error.message)),
        );
      });
    });
    this.looking = setInterval(() => void this.look(), POLL_INTERVAL_MS);
  }

  async listen(): Promise<string> {
    await this.look();
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    clearInterval(this.looking);
    this.server.closeAllConnections();
    this.server.close();
    this.agent.destroy();
  }

  async look(): Promise<void> {
    await Promise.all(
      [...this.processes].map(async (url) => {
        const isReady = await fetch(`${url}/health/ready`).then(
          ({ ok }) => ok,
          () => false,
        );
        if (isReady) this.ready.add(url);
        else this.ready.delete(url);
      }),
    );
  }

  private async forward(
    inner: IncomingMessage,
    body: string,
    [url, ...others]: string[],
  ): Promise<IncomingMessage> {
    if (url === undefined) throw new Error('No process accepts the request');
    const { method, headers } = inner;
    const { 'transfer-encoding': _encoding, connection: _connection, ...kept } = headers;
    const outgoing = request(new URL(inner.url!, url), {
      method,
      agent: this.agent,
      headers: { ...kept, 'content-length': Buffer.byteLength(body) },
    });
    outgoing.end(body);
    try {
      const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
      return answer;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') throw error;
      return this.forward(inner, body, others);
    }
  }
}
