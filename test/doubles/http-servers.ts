import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  OutboundError,
  type OutboundReason,
  type OutboundRequest,
  type SafeHttp,
} from '../../src/lib/http/safe-http.js';

/** Starts servers on 127.0.0.1 that are stopped after each test. */
export function httpServers() {
  const servers: Server[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  async function serve(answer: RequestListener): Promise<string> {
    const server = createServer(answer);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** Starts a server that is not allowed, and counts the requests that reach it nevertheless. */
  async function serveInternal(): Promise<{ origin: string; hits: () => number }> {
    let hits = 0;
    const origin = await serve((_request, response) => {
      hits++;
      response.end('internal');
    });
    return { origin, hits: () => hits };
  }

  return { servers, serve, serveInternal };
}

/** Answers a request with a redirect. */
export const redirect = (response: ServerResponse, location: string, status = 302) =>
  response.writeHead(status, { location }).end();

/** Asserts that the client refuses a request for this reason. */
export async function expectRefusal(
  reason: OutboundReason,
  http: SafeHttp,
  request: OutboundRequest,
): Promise<void> {
  const error = await http.request(request).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(OutboundError);
  expect((error as OutboundError).reason).toBe(reason);
}
