import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/**
 * Checks whether this process can listen on `host` at all of these ports, given by the name of their setting; 0 is any
 * free port. Throws an error with a message for the operator that names the setting.
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
  if (code === 'EADDRINUSE')
    return `${name}: another program, or this one, is already listening on ${address}.`;
  if (code === 'EACCES') return `${name}: this user is not allowed to listen on ${address}.`;
  return `HOST: cannot listen on ${address}: ${message}`;
}
