import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

const going = new WeakSet<Socket>();

/** Whether the request on this connection may take as long as it does. */
export const goesAtOwnPace = (socket: Socket): boolean => going.has(socket);

/** Does `work`, during which the request may come for longer than the server lets others: `work` itself ends it. */
export async function atOwnPace<T>({ socket }: IncomingMessage, work: () => Promise<T>): Promise<T> {
  going.add(socket);
  try {
    return await work();
  } finally {
    going.delete(socket);
  }
}
