import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { boundedRedis } from './redis.js';

describe('boundedRedis', () => {
  it('leaves no timer behind when a connection closes that waits for a reply', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const client = boundedRedis(`redis://127.0.0.1:${(silent.address() as AddressInfo).port}`);
    client.on('error', () => undefined);
    client.connect().catch(() => undefined);
    await once(client, 'connect');
    expect(client['socketTimeoutTimer']).toBeDefined();
    client.disconnect();
    await once(client, 'end');
    expect(client['socketTimeoutTimer']).toBeUndefined();
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
});
