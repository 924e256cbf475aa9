import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Metrics } from './metrics.js';

/** Serves `/metrics` on a separate port, which need not be accessible to API clients. Rejects if the port is in use. */
export async function serveMetrics(
  { registry }: Metrics,
  port: number,
  host: string,
): Promise<{ port: number; stop(): Promise<void> }> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end();
    void registry
      .metrics()
      .then((text) => response.writeHead(200, { 'Content-Type': registry.contentType }).end(text));
  });
  server.listen(port, host);
  await once(server, 'listening');
  const { port: bound } = server.address() as { port: number };
  return {
    port: bound,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
