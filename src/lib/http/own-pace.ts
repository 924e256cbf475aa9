import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

const going = new WeakSet<Socket>();

/** Returns whether the request on this connection is exempt from the timeout. */
export const goesAtOwnPace = (socket: Socket): boolean => going.has(socket);

/** Exempts the request from the timeout of the server while `work` runs; `work` must enforce its own timeout. */
export async function atOwnPace<T>({ socket }: IncomingMessage, work: () => Promise<T>): Promise<T> {
  going.add(socket);
  try {
    return await work();
  } finally {
    going.delete(socket);
  }
}
