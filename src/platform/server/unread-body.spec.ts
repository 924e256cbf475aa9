import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { waitUntil } from '../../../test/setup/until.js';
import { closeUnlessRead } from './unread-body.js';

const HEAD = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n';

const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

describe('A request whose body is unread when the response was sent', () => {
  let server: Server;
  let client: Socket;
  let before: number;
  let received: string;
  const nothingWaits = () => waitUntil(() => Promise.resolve(timers() <= before));
  beforeEach(async () => {
    server = createServer((request: IncomingMessage, response: ServerResponse) => {
      response.once('finish', () => closeUnlessRead(request));
      request.resume();
      response.writeHead(403).end('refused');
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    before = timers();
    received = '';
    client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.on('data', (data) => (received += data.toString()));
    client.write(HEAD);
    await waitUntil(() => Promise.resolve(received.endsWith('refused\r\n0\r\n\r\n')));
  });
  afterEach(async () => {
    client.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  it('keeps its connection if the body arrives', async () => {
    client.write(Buffer.alloc(100_000));
    await nothingWaits();
    received = '';
    client.write(HEAD);
    await waitUntil(() => Promise.resolve(received.includes('403')));
  });

  it('is cut off, and nothing waits for it any longer', async () => {
    await once(client, 'close');
    await nothingWaits();
  });

  it('leaves nothing behind if the client disconnects', async () => {
    client.destroy();
    await nothingWaits();
  });
});
