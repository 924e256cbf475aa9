import { httpServers } from '../../../../test/doubles/http-servers.js';
import { SafeHttp } from '../../../lib/http/safe-http.js';
import { FlowHttp } from './flow-http.js';

const ACTOR = { id: 'run', applicationId: 'application', flowId: 'flow' };
const { signal } = new AbortController();

describe('FlowHttp', () => {
  const { serve } = httpServers();
  const clientFor = (...allowedOrigins: string[]) =>
    new FlowHttp(new SafeHttp({ allowedOrigins, allowsPlain: true }));

  it('returns the response of any status', async () => {
    const origin = await serve((_request, response) => response.writeHead(404).end('none'));
    const { status, body } = await clientFor(origin).send(ACTOR, { url: origin }, signal);
    expect([status, body.toString()]).toEqual([404, 'none']);
  });

  it('names time-outs and responses that are too large', async () => {
    const silent = await serve(() => undefined);
    const large = await serve((_request, response) => response.end(Buffer.alloc(5 * 1024 * 1024 + 1)));
    const http = clientFor(silent, large);
    await expect(http.send(ACTOR, { url: silent, timeoutMs: 100 }, signal)).rejects.toMatchObject({
      name: 'TimeoutError',
    });
    await expect(http.send(ACTOR, { url: large }, signal)).rejects.toMatchObject({ name: 'PayloadTooLarge' });
  });

  it('does not tell a private address from a server that does not answer', async () => {
    const closing = await serve((request) => request.socket.destroy());
    const message = 'The other server cannot be reached';
    for (const url of [closing, 'http://127.0.0.1:8081/', 'http://[::1]/'])
      await expect(clientFor(closing).send(ACTOR, { url }, signal)).rejects.toMatchObject({
        name: 'RequestError',
        message,
      });
  });
});
