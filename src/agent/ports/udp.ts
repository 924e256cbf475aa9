import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import type { UdpMessage } from '../../workflows/engine/edge-port.js';
import { RunFault } from '../../workflows/engine/run-error.js';

/** Sends a datagram. Throws a `RunFault`. */
export function sendUdp({ host, port, message, isBroadcast }: UdpMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
    const end = (error?: Error | null): void => {
      socket.close();
      if (error) reject(new RunFault('UDP_ERROR', error.message));
      else resolve();
    };
    socket.once('error', end);
    socket.bind(0, () => {
      if (isBroadcast) socket.setBroadcast(true);
      socket.removeListener('error', end);
      socket.on('error', () => undefined);
      socket.send(message, port, host, end);
    });
  });
}
