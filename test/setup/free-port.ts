import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

const [MIN_PORT, MAX_PORT] = [15_000, 30_000];
const given = new Set<number>();

/**
 * Returns a port of 127.0.0.1 on which nothing listens, and another one each time, for servers that must know their port
 * before they start. That may be much later, so it is below the ports that the operating system gives to others.
 */
export async function freePort(): Promise<string> {
  for (;;) {
    const port = randomInt(MIN_PORT, MAX_PORT);
    if (given.has(port)) continue;
    given.add(port);
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch {
      continue;
    }
    await once(server.close(), 'close');
    return String(port);
  }
}
