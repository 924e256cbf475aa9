import { once } from 'node:events';
import { connect } from 'node:net';
import { WebSocket, type ClientOptions } from 'ws';
import { makeFlow } from '../../../../../test/make/flows.js';
import { makeApplication, makeUser } from '../../../../../test/make/make.js';
import { ListenedWebhook } from '../../../../../test/make/webhooks.js';
import { suite } from '../../../../../test/setup/suite.js';
import { waitUntil } from '../../../../../test/setup/until.js';
import { Replies } from '../../../../workflows/runs/replies.js';
import { WebhookSockets } from './webhook-sockets.js';

describe('The receiver of webhooks', () => {
  const { test, other } = suite({}, { retries: false });
  let hook: ListenedWebhook;
  const clients: WebSocket[] = [];

  beforeEach(async () => {
    hook = await ListenedWebhook.make(test, { isWebsocket: true });
  });
  afterEach(() => {
    for (const client of clients.splice(0)) client.terminate();
  });

  const urlOf = ({ webhook }: ListenedWebhook, path = '') =>
    `${test.client.url.replace('http', 'ws')}/webhooks/${webhook.token}${path}`;
  function clientOf(of = hook, path = '', options: ClientOptions = {}): WebSocket {
    const client = new WebSocket(urlOf(of, path), options);
    client.on('error', () => undefined);
    clients.push(client);
    return client;
  }
  const opened = async (...given: Parameters<typeof clientOf>) => {
    const client = clientOf(...given);
    await once(client, 'open');
    return client;
  };
  const closed = async (client: WebSocket): Promise<[number, string]> => {
    const [code, reason] = (await once(client, 'close')) as [number, Buffer];
    return [code, reason.toString()];
  };
  /** Returns the status and the JSON body of a refused request. */
  const refused = async (...given: Parameters<typeof clientOf>): Promise<[number, any]> => {
    const [, response] = await once(clientOf(...given), 'unexpected-response');
    const chunks = (await response.toArray()) as Buffer[];
    return [response.statusCode, JSON.parse(Buffer.concat(chunks).toString())];
  };
  const events = async () => (await hook.runs()).map(({ trigger }) => trigger.data);
  const hasEvents = (count: number) => waitUntil(async () => (await events()).length === count);

  describe('A WebSocket webhook', () => {
    it('runs its workflow for each connection, message and disconnection, in their order', async () => {
      const client = await opened(hook, '/line/7?shift=2', {
        headers: { 'x-plant': 'north', cookie: 'a=b' },
      });
      client.send('{"temp":21}');
      client.send(Buffer.from([0, 255]));
      client.send('ä');
      client.close(4001, 'finished');
      await hasEvents(5);
      const [first, ...rest] = await events();
      expect(first).toEqual({
        type: 'connect',
        message: {},
        path: '/line/7',
        query: { shift: '2' },
        headers: expect.objectContaining({ 'x-plant': 'north' }),
        replyId: expect.stringMatching(new RegExp(`^${hook.webhook.id}\\.[\\da-f]{24}$`)),
      });
      expect(first.headers.cookie).toBeUndefined();
      expect(rest).toMatchObject([
        { type: 'message', message: { data: '{"temp":21}', length: 11 }, replyId: first.replyId },
        { type: 'message', message: { data: 'AP8=', length: 2 } },
        { type: 'message', message: { data: 'ä', length: 2 } },
        { type: 'disconnect', message: { reason: 'finished', statusCode: 4001 }, path: '/line/7' },
      ]);
    });

    it('passes messages of workflows in any process to their client, any number of times', async () => {
      const [client, stranger] = [await opened(), await opened()];
      await hasEvents(2);
      const received: unknown[] = [];
      client.on('message', (data: Buffer, isBinary) => received.push(isBinary ? data : data.toString()));
      stranger.on('message', () => received.push('to a stranger'));
      client.send('hello');
      await hasEvents(3);
      const { replyId } = (await events())[2];
      const send = (message: string | Buffer, process = test, applicationId = hook.application.id) =>
        process.app.get(Replies).message({ applicationId }, replyId, message);
      await send('not yours', test, 'f'.repeat(24));
      await send('one');
      await send(Buffer.from([0, 255]), other);
      await waitUntil(async () => received.length === 2);
      await send('three');
      await waitUntil(async () => received.length === 3);
      expect(received).toEqual(['one', Buffer.from([0, 255]), 'three']);
    });

    it('refuses requests like those to other webhooks, and runs nothing', async () => {
      const plain = await ListenedWebhook.make(test, {}, hook);
      expect(await refused(plain)).toMatchObject([400, { type: 'Validation' }]);
      const missing = { ...hook, webhook: { ...hook.webhook, token: 'none' } } as ListenedWebhook;
      expect(await refused(missing)).toMatchObject([404, { type: 'NotFound' }]);
      await hook.change({ basicAuthUsername: 'ada', basicAuthPassword: 'lovelace' });
      expect(await refused()).toMatchObject([401, { type: 'Unauthorized' }]);
      const authorization = `Basic ${Buffer.from('ada:lovelace').toString('base64')}`;
      await opened(hook, '', { headers: { authorization } });
      await hasEvents(1);
      await hook.change({ enabled: false });
      expect(await refused()).toMatchObject([404, { type: 'NotFound' }]);
      expect(await events()).toHaveLength(1);
    });

    it('closes connections when it is disabled', async () => {
      const client = await opened();
      await hasEvents(1);
      await hook.change({ enabled: false });
      const end = closed(client);
      client.send('hello');
      expect(await end).toEqual([1008, 'The message could not be processed']);
      await hook.change({ enabled: true });
      const idle = await opened();
      // The disconnection of the first client can be stored too, because the webhook is enabled again.
      await waitUntil(async () => (await events()).filter(({ type }) => type === 'connect').length === 2);
      await hook.change({ enabled: false });
      const idleEnd = closed(idle);
      await test.app.get<any>(WebhookSockets).runBatch();
      expect(await idleEnd).toEqual([1008, 'The webhook no longer exists or is disabled']);
    });

    it('logs each connection once it has ended, without the token', async () => {
      const linesOf = (requestId: string) =>
        test.log.flatMap((line) =>
          line.includes(`"requestId":"${requestId}"`) ? [JSON.parse(line) as Record<string, unknown>] : [],
        );
      const headers = { 'x-request-id': `socket-${hook.webhook.id}` };
      const client = await opened(hook, '/line?shift=2', { headers });
      client.send('hello');
      await hasEvents(2);
      expect(linesOf(headers['x-request-id'])).toEqual([]);
      client.close();
      await waitUntil(async () => linesOf(headers['x-request-id']).length > 0);
      const path = '/webhooks/{token}/line';
      expect(linesOf(headers['x-request-id'])).toEqual([
        {
          ...{ level: 30, time: expect.any(String), requestId: headers['x-request-id'], method: 'GET', path },
          ...{ status: 101, ms: expect.any(Number), msg: `GET ${path} 101` },
        },
      ]);
    });

    it('limits the size and the rate of messages', async () => {
      const large = await opened();
      large.send('x'.repeat(256 * 1024 + 1));
      expect((await closed(large))[0]).toBe(1009);
      const busy = await opened();
      const end = closed(busy);
      for (let i = 0; i < 250; i++) busy.send(String(i));
      expect(await end).toEqual([1008, 'Too many messages']);
    });

    it('accepts no compressed messages', async () => {
      const client = await opened(hook, '', { perMessageDeflate: true });
      expect(client.extensions).toBe('');
    });

    it('disconnects clients that do not respond', async () => {
      const sockets = test.app.get<any>(WebhookSockets);
      const [silent, living] = [await opened(hook, '', { autoPong: false }), await opened()];
      await hasEvents(2);
      const pinged = [once(silent, 'ping'), once(living, 'ping')];
      await sockets.runBatch();
      await Promise.all(pinged);
      living.send('I am here');
      await hasEvents(3);
      const end = closed(silent);
      await sockets.runBatch();
      expect((await end)[0]).toBe(1006);
      expect(living.readyState).toBe(WebSocket.OPEN);
      await hasEvents(4);
      expect((await events())[3]).toMatchObject({ type: 'disconnect', message: { statusCode: 1006 } });
    });

    it('disconnects clients that do not read', async () => {
      const client = await opened();
      await hasEvents(1);
      const { replyId } = (await events())[0];
      client.pause();
      const message = 'x'.repeat(256 * 1024);
      await waitUntil(async () => {
        await test.app.get(Replies).message({ applicationId: hook.application.id }, replyId, message);
        return (await events()).length === 2;
      });
      expect((await events())[1]).toMatchObject({ type: 'disconnect' });
    });
  });

  describe('A request for another protocol', () => {
    /** Sends text on a connection of its own and returns everything that is received. */
    const exchange = async (text: string): Promise<string> => {
      const { hostname, port } = new URL(test.client.url);
      const socket = connect(Number(port), hostname);
      socket.write(text);
      return Buffer.concat(await socket.toArray()).toString();
    };
    const head = (line: string, ...headers: string[]) =>
      [line, 'Host: x', ...headers].join('\r\n') + '\r\n\r\n';
    const WEBSOCKET = [
      'Connection: close, Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    ];
    const H2C = [
      'Connection: Upgrade, HTTP2-Settings',
      'Upgrade: h2c',
      'HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA',
    ];

    it('is served as if it did not ask, also with a body and many times on a connection', async () => {
      const plain = await ListenedWebhook.make(test, {}, hook);
      const body = '{"order":7}';
      const post = head(
        `POST /webhooks/${plain.webhook.token} HTTP/1.1`,
        ...H2C,
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
      );
      const answer = await exchange(
        (post + body).repeat(15) + head('GET /health HTTP/1.1', 'Connection: close'),
      );
      expect(answer.match(/HTTP\/1.1 200 OK/g)).toHaveLength(16);
      await waitUntil(async () => (await plain.runs()).length === 15);
      expect((await plain.received()).body).toEqual({ order: 7 });
    });

    it('is served after earlier requests on the connection, and before later ones', async () => {
      const asking = head('GET /webhooks/none HTTP/1.1', ...WEBSOCKET);
      const answer = await exchange(head('GET /health HTTP/1.1').repeat(2) + asking);
      expect(answer.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 404']);
      const repeated = await exchange(
        head('GET /health HTTP/1.1', ...H2C).repeat(2) + head('GET /me HTTP/1.1', 'Connection: close'),
      );
      expect(repeated.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 401']);
    });

    it.each(['/health', '/me', '/applications'])('is served at %s too, for a WebSocket', async (path) => {
      expect(await exchange(head(`GET ${path} HTTP/1.1`, ...WEBSOCKET))).toMatch(
        path === '/health' ? /^HTTP\/1.1 200/ : /^HTTP\/1.1 401/,
      );
    });
  });
});

describe.each(['true', 'false'])('A workflow of a WebSocket webhook, with HTTP_FAST_PATH=%s', (fastPath) => {
  const { test } = suite(
    { PROCESS_ROLE: 'api,worker,engine', HTTP_FAST_PATH: fastPath },
    { database: 'own' },
  );

  it('answers each message', async () => {
    const user = await makeUser(test);
    const application = await makeApplication(test, user.token);
    const path = `/applications/${application.id}/webhooks`;
    const { body: webhook } = await test.client.post(
      path,
      { name: 'Echo', isWebsocket: true },
      { token: user.token },
    );
    const bodyTemplate = '{{data.type}} {{{data.message.data}}}';
    await makeFlow(test, user.token, application.id, {
      triggers: [{ type: 'webhook', key: webhook.id, outputIds: [['echo']] }],
      nodes: [{ id: 'echo', type: 'WebhookReplyNode', config: { isWebsocketMessage: true, bodyTemplate } }],
    });
    const client = new WebSocket(`${test.client.url.replace('http', 'ws')}/webhooks/${webhook.token}`);
    const received: string[] = [];
    client.on('message', (data: Buffer) => received.push(data.toString()));
    await once(client, 'open');
    client.send('"a"');
    client.send('b');
    await waitUntil(async () => received.length === 3);
    client.close();
    expect(received.sort()).toEqual(['connect ', 'message "a"', 'message b']);
  });
});
