import { SafeHttp } from '../../src/lib/http/safe-http.js';
import type { HttpPort } from '../../src/workflows/engine/ports.js';
import { FlowHttp } from '../../src/workflows/engine/http/flow-http.js';

/**
 * The HTTP client of workflows, but its requests go to a server of the test, with the host that they had. `origin` is the
 * server, or returns that of a host. `http` sends them; it must allow the server.
 */
export function reroutedHttp(
  origin: string | ((host: string) => string),
  http: Pick<HttpPort, 'send'> = new FlowHttp(new SafeHttp({ allowedOrigins: [String(origin)] })),
): HttpPort {
  return {
    send: (actor, call, signal) => {
      const { protocol, host, pathname, search } = new URL(call.url);
      if (protocol !== 'https:') throw new Error(`${call.url} has no TLS`);
      const server = typeof origin === 'string' ? origin : origin(host);
      return http.send(
        actor,
        { ...call, url: `${server}${pathname}${search}`, headers: { ...call.headers, host } },
        signal,
      );
    },
  };
}
