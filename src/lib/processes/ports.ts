import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/**
 * Tries whether this process can listen on `host` at all of these ports, by the name of their setting; 0 is any that is
 * free. Throws a sentence for the operator that names the setting at fault.
 */
export async function probePorts(host: string, ports: Readonly<Record<string, number>>): Promise<void> {
  const open: Server[] = [];
  try {
    for (const [name, port] of Object.entries(ports)) {
      const server = createServer().listen(port, host);
      await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
        throw new Error(sentenceOf(error, name, `${host}:${port}`));
      });
      open.push(server);
    }
  } finally {
    await Promise.all(open.map((server) => once(server.close(), 'close')));
  }
}

function sentenceOf({ code, message }: NodeJS.ErrnoException, name: string, address: string): string {
  if (code === 'EADDRINUSE') return `${name}: another program, or this one, listens on ${address} already.`;
  if (code === 'EACCES') return `${name}: this user may not listen on ${address}.`;
  return `HOST: nothing can listen on ${address}: ${message}`;
}
