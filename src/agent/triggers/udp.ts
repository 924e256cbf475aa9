import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { DrivenTrigger, Driver } from './driver.js';

interface Listener {
  readonly socket: Socket;
  readonly triggers: Set<DrivenTrigger>;
  readonly bound: Promise<unknown>;
}

/** Fires for each datagram to a port, which several triggers can share. */
export function udpDriver(): Driver {
  const listeners = new Map<number, Listener>();
  return async (trigger) => {
    const port = Number(trigger.key);
    if (!Number.isInteger(port) || port < 1 || port > 65_535)
      throw new Error('The key of a udp trigger must be a port from 1 to 65535');
    const listener = listeners.get(port) ?? listen(port, trigger);
    listeners.set(port, listener);
    listener.triggers.add(trigger);
    const stop = (): void => {
      listener.triggers.delete(trigger);
      if (listener.triggers.size > 0) return;
      if (listeners.get(port) === listener) listeners.delete(port);
      listener.socket.close();
    };
    try {
      await listener.bound;
    } catch (error) {
      stop();
      throw error;
    }
    return stop;
  };
}

function listen(port: number, { log }: DrivenTrigger): Listener {
  const socket = createSocket('udp4');
  const triggers = new Set<DrivenTrigger>();
  socket.on('message', (content, { address, port: sourcePort }) => {
    const data = { message: content.toString(), sourceAddress: address, sourcePort };
    for (const { fire } of triggers) fire({ data });
  });
  const bound = once(socket.bind(port), 'listening').finally(() =>
    socket.on('error', (error) => log.warn(`The UDP port ${port} failed: ${error.message}`)),
  );
  return { socket, triggers, bound };
}
