import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

const exemptSockets = new WeakSet<Socket>();

/** Returns whether the request on this connection is exempt from the timeout. */
export const isExemptFromTimeout = (socket: Socket): boolean => exemptSockets.has(socket);

/** Exempts the request from the timeout of the server while `work` runs; `work` must enforce its own timeout. */
export async function withoutRequestTimeout<T>(
  { socket }: IncomingMessage,
  work: () => Promise<T>,
): Promise<T> {
  exemptSockets.add(socket);
  try {
    return await work();
  } finally {
    exemptSockets.delete(socket);
  }
}
