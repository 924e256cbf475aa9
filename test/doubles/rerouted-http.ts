import { SafeHttp } from '../../src/lib/http/safe-http.js';
import type { HttpPort } from '../../src/workflows/engine/ports.js';
import { FlowHttp } from '../../src/workflows/engine/http/flow-http.js';

/** The HTTP client of workflows, but all requests go to a server of the test, with the host that they had. */
export function reroutedHttp(origin: string): HttpPort {
  const http = new FlowHttp(new SafeHttp({ allowedOrigins: [origin] }));
  return {
    send: (actor, call, signal) => {
      const { protocol, host, pathname, search } = new URL(call.url);
      if (protocol !== 'https:') throw new Error(`${call.url} has no TLS`);
      return http.send(
        actor,
        { ...call, url: `${origin}${pathname}${search}`, headers: { ...call.headers, host } },
        signal,
      );
    },
  };
}
