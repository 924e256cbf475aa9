import { once } from 'node:events';
import { createServer, get, ServerResponse, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { addHeaders, listingResponse } from './listed-headers.js';

type Handle = (response: ServerResponse) => unknown;

/** Returns the status and headers in the order and case in which they are sent, and the results of the handler. */
async function answerOf(type: typeof ServerResponse, handle: Handle): Promise<object> {
  let found: unknown;
  const server = createServer({ ServerResponse: type }, (_request, response) => {
    response.sendDate = false;
    addHeaders(response, ['X-Request-Id', 'a']);
    addHeaders(response, ['Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff']);
    found = handle(response);
    if (!response.headersSent) addHeaders(response, ['Content-Type', 'application/json']);
    response.end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const [message] = (await once(get({ port, host: '127.0.0.1', agent: false }), 'response')) as [
    IncomingMessage,
  ];
  message.resume();
  server.close();
  return { status: message.statusCode, headers: message.rawHeaders, found };
}

describe('A response that lists its headers behaves like a response of Node that', () => {
  it.each<[string, Handle]>([
    ['is given no other', () => undefined],
    ['has another status', (response) => void (response.statusCode = 201)],
    ['is given another', (response) => void response.setHeader('Retry-After', 5)],
    ['is given one anew', (response) => void response.setHeader('cache-control', 'private')],
    ['is given several of one', (response) => void response.setHeader('Set-Cookie', ['a=1', 'b=2'])],
    ['is given more of one', (response) => void response.appendHeader('Cache-Control', 'private')],
    ['is given a map', (response) => void response.setHeaders(new Map([['cache-control', 'private']]))],
    ['loses one', (response) => response.removeHeader('X-Request-Id')],
    ['is asked for one', (response) => response.getHeader('x-request-id')],
    [
      'is asked whether it has some',
      (response) => ['X-Request-Id', 'Vary'].map((name) => response.hasHeader(name)),
    ],
    ['is asked for all', (response) => ({ ...response.getHeaders() })],
    ['is asked for their names', (response) => response.getHeaderNames()],
  ])('%s', async (_title, handle) => {
    expect(await answerOf(listingResponse(), handle)).toEqual(await answerOf(ServerResponse, handle));
  });

  it.each<[string, Handle]>([
    ['a status', (response) => void response.writeHead(204)],
    ['headers', (response) => void response.writeHead(203, { 'Cache-Control': 'private', Vary: 'Origin' })],
    ['a list of them', (response) => void response.writeHead(203, ['Cache-Control', 'private'])],
    ['words and headers', (response) => void response.writeHead(203, 'Fine', { Vary: 'Origin' })],
    ['its head, early', (response) => response.flushHeaders()],
  ])('writes %s', async (_title, handle) => {
    expect(await answerOf(listingResponse(), handle)).toEqual(await answerOf(ServerResponse, handle));
  });

  it('rejects headers after its head is sent', async () => {
    const handle: Handle = (response) => {
      response.flushHeaders();
      expect(() => addHeaders(response, ['Vary', 'Origin'])).toThrow('after they are sent');
      expect(() => response.setHeader('Vary', 'Origin')).toThrow('after they are sent');
    };
    expect(await answerOf(listingResponse(), handle)).toEqual(await answerOf(ServerResponse, handle));
  });
});
