import { once } from 'node:events';
import { createServer, request as send, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { handleClientError } from '../../platform/server/client-error.js';
import { withoutRequestTimeout } from './request-timeout.js';

const LIMITS = { requestTimeout: 50, headersTimeout: 40, connectionsCheckingInterval: 10 };
let server: Server;
afterEach(() => new Promise((resolve) => server.close(resolve)));

/** Returns the status of a request whose second half arrives after several checks of the server. */
async function statusOf(read: (request: IncomingMessage) => Promise<unknown>): Promise<number> {
  server = createServer(LIMITS, (request, response) => {
    read(request).then(
      () => response.end(),
      () => undefined,
    );
  });
  const looked = new Promise<void>((resolve) => {
    server.on('clientError', (error, socket) => {
      handleClientError(error, socket as Parameters<typeof handleClientError>[1]);
      resolve();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const sender = send({ port, method: 'POST', headers: { 'content-length': 2 }, agent: false });
  sender.on('error', () => undefined);
  sender.write('a');
  void looked.then(() => sender.end('b'));
  const [response] = (await once(sender, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode!;
}

it('withoutRequestTimeout lets a request exceed the timeout of the server', async () => {
  expect(await statusOf((request) => withoutRequestTimeout(request, () => buffer(request)))).toBe(200);
});

it('the server ends other requests on timeout', async () => {
  expect(await statusOf((request) => buffer(request))).toBe(408);
});
