import { runNode } from '../../../test/doubles/run-node.js';
import type { Reply } from '../engine/ports.js';
import { endpointReplyNode } from './endpoint-reply/index.js';
import type { NodeKind } from './node-kind.js';
import { webhookReplyNode } from './webhook-reply/index.js';

/** Returns the reply of a node, or `undefined`. */
async function replyOf(node: NodeKind, config: object, payload: object = {}) {
  let sent: (Partial<Reply> & { replyId: string; message?: string | Buffer }) | undefined;
  const replies = {
    reply: (_actor: unknown, replyId: string, reply: Reply) => {
      sent = { replyId, ...reply };
      return Promise.resolve();
    },
    message: (_actor: unknown, replyId: string, message: string | Buffer) => {
      sent = { replyId, message };
      return Promise.resolve();
    },
  };
  const whole = { data: { replyId: 'e.1' }, ...payload };
  expect((await runNode(node, config, whole, { ports: { replies } })).output).toBeUndefined();
  return sent;
}

const endpoint = (config: object, payload?: object) => replyOf(endpointReplyNode, config, payload);
const webhook = (config: object, payload?: object) => replyOf(webhookReplyNode, config, payload);

describe('EndpointReplyNode', () => {
  it('redirects with a cookie of the session', async () => {
    const config = {
      replyType: 'redirect',
      bodyTemplateType: 'string',
      bodyTemplate: '/login',
      responseCodeTemplate: '302',
      cookieInfo: [
        {
          nameTemplate: 'authorization',
          valueTemplate: '{{working.token}}',
          maxAgeTemplate: '',
          pathTemplate: '',
        },
      ],
    };
    expect(await endpoint(config, { working: { token: 'abc' } })).toMatchObject({
      replyId: 'e.1',
      status: 302,
      headers: { location: '/login' },
      cookies: ['authorization=abc; Path=/; HttpOnly; SameSite=Lax'],
    });
  });

  it.each([
    [{ bodyTemplateType: 'path', bodyTemplate: 'working.r', responseCodeTemplate: 'x' }, 200, '{"ok":true}'],
    [{ bodyTemplate: 'hi', responseCodeTemplate: '404' }, 404, 'hi'],
    [{ bodyTemplate: 'hi', responseCodeTemplate: '100' }, 200, 'hi'],
    [
      { bodyTemplateType: 'json', bodyTemplate: '{"a": {{working.r.ok}}}', responseCodeTemplate: '' },
      200,
      '{"a":true}',
    ],
    [{ bodyTemplate: '{{working.r}}' }, 200, '{"ok":true}'],
    [{ bodyTemplate: '{{working.list}}' }, 200, '[1]'],
    [{ bodyTemplate: ' {{working.list}}' }, 200, ' 1'],
    [{ bodyTemplate: '{{working.html}}' }, 200, '&lt;b&gt;'],
    [{ bodyTemplateType: 'path', bodyTemplate: 'missing' }, 200, ''],
    [{ bodyTemplateType: 'none' }, 200, ''],
  ])('replies by %j with %i %s', async (config, status, body) => {
    const payload = { working: { r: { ok: true }, list: [1], html: '<b>' } };
    expect(await endpoint({ replyType: 'custom', ...config }, payload)).toMatchObject({ status, body });
  });

  it('sets headers, except those of the connection', async () => {
    const headerInfo = [
      { keyTemplate: 'Content-Type', valueTemplate: 'application/json' },
      { keyTemplate: 'Cache-Control', valueTemplate: 'private' },
      { keyTemplate: 'Link', valueTemplate: '</a>' },
      { keyTemplate: 'link', valueTemplate: '</b>' },
      { keyTemplate: 'Content-Length', valueTemplate: '5' },
      { keyTemplate: '', valueTemplate: 'x' },
    ];
    expect((await endpoint({ replyType: 'custom', headerInfo }))!.headers).toEqual({
      'cache-control': 'private',
      'content-type': 'application/json',
      link: ['</a>', '</b>'],
    });
  });

  it('sets, limits and removes cookies', async () => {
    const cookieInfo = [
      { nameTemplate: 'a', valueTemplate: '{{working.v}}', maxAgeTemplate: '60500', pathTemplate: '/x' },
      { nameTemplate: 'b' },
    ];
    const config = { replyType: 'custom', cookieInfo, sameSiteTemplate: 'None' };
    const { cookies } = (await endpoint(config, { working: { v: 'ä; b\r\n' } }))!;
    expect(cookies).toEqual([
      expect.stringMatching(
        /^a=%C3%A4%3B%20b%0D%0A; Path=\/x; Max-Age=60; Expires=.* GMT; HttpOnly; SameSite=None$/,
      ),
      'b=; Path=/; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=None',
    ]);
  });

  it.each([
    { headerInfo: [{ keyTemplate: 'X', valueTemplate: '{{working.v}}' }] },
    { headerInfo: [{ keyTemplate: 'X{{working.v}}', valueTemplate: 'a' }] },
    { cookieInfo: [{ nameTemplate: 'a{{working.v}}', valueTemplate: 'a' }] },
    { cookieInfo: [{ nameTemplate: 'a', valueTemplate: 'a', pathTemplate: '/{{working.v}}' }] },
    { cookieInfo: [{ nameTemplate: 'a', valueTemplate: 'a', pathTemplate: '/; Domain=x' }] },
    { sameSiteTemplate: 'any' },
    { replyType: 'redirect', bodyTemplate: '{{missing}}' },
  ])('fails the run rather than send an unsafe header: %j', async (config) => {
    const payload = { working: { v: 'a\r\nSet-Cookie: b' } };
    await expect(endpoint({ replyType: 'custom', ...config }, payload)).rejects.toMatchObject({
      name: 'ValidationError',
    });
  });

  it('encodes the URL of a redirect', async () => {
    const config = { replyType: 'redirect', bodyTemplate: '{{working.v}}', responseCodeTemplate: '200' };
    expect(await endpoint(config, { working: { v: '/ä\r\nX: y' } })).toMatchObject({
      status: 302,
      headers: { location: '/%C3%A4%0D%0AX:%20y' },
    });
  });

  it.each([
    [{ bodyTemplateType: 'path', bodyTemplate: 'working' }, { a: 1 }],
    [{ bodyTemplateType: 'json', bodyTemplate: '{"b": {{working.a}}}' }, { b: 1 }],
    [{ bodyTemplateType: 'none' }, {}],
  ])('replies with a page with the data of %j', async (body, pageData) => {
    const config = { replyType: 'page', pageIdTemplate: 'p', layoutIdTemplate: '{{working.l}}', ...body };
    const payload = { working: { a: 1 }, globals: { g: 2 }, flowName: 'Home' };
    expect(await endpoint(config, payload)).toMatchObject({
      status: 200,
      body: '',
      content: { kind: 'page', pageId: 'p', pageData, globals: { g: 2 }, flow: { name: 'Home' } },
    });
    const { content } = (await endpoint(config, { working: { a: 1, l: 'layout' } }))!;
    expect(content).toMatchObject({ layoutId: 'layout' });
  });

  it('replies with the messages on topics', async () => {
    const mqttTopicsTemplate = ['P/{{data.id}}/state', '', 'P/{{data.id}}/state', 'other'];
    const config = { replyType: 'mqtt', mqttTopicsTemplate };
    expect(await endpoint(config, { data: { replyId: 'e.1', id: 'd' } })).toMatchObject({
      content: { kind: 'topics', topics: ['P/d/state', 'other'] },
    });
    await expect(endpoint(config, { data: { replyId: 'e.1', id: '+' } })).rejects.toMatchObject({
      message: 'mqttTopicsTemplate must have topics of MQTT without wildcards',
    });
    await expect(endpoint({ replyType: 'mqtt' })).rejects.toMatchObject({ name: 'ValidationError' });
  });

  it('refuses bodies of more than 256 KiB', async () => {
    const config = { replyType: 'custom', bodyTemplateType: 'path', bodyTemplate: 'working.v' };
    const v = 'x'.repeat(256 * 1024);
    expect((await endpoint(config, { working: { v } }))!.body).toHaveLength(v.length);
    await expect(endpoint(config, { working: { v: `${v}x` } })).rejects.toMatchObject({
      name: 'PayloadTooLarge',
    });
  });
});

describe.each([endpointReplyNode, webhookReplyNode])('$type', (node) => {
  it('does nothing without the ID of a reply', async () => {
    expect(await replyOf(node, { bodyTemplate: 'hi' }, { data: {} })).toBeUndefined();
  });

  it('reads the ID from another path', async () => {
    const config = { replyIdPath: 'data.erroredPayload.data.replyId' };
    const payload = { data: { erroredPayload: { data: { replyId: 'e.2' } } } };
    expect(await replyOf(node, config, payload)).toMatchObject({ replyId: 'e.2' });
  });
});

describe('WebhookReplyNode', () => {
  it('replies with JSON by default, and ignores security headers', async () => {
    const headerInfo = [
      { keyTemplate: 'Set-Cookie', valueTemplate: 'a=b' },
      { keyTemplate: 'X-A', valueTemplate: 'b' },
    ];
    const config = { bodyTemplateType: 'payload', responseCodeTemplate: '201', headerInfo };
    expect(await webhook(config)).toEqual({
      replyId: 'e.1',
      status: 201,
      headers: { 'content-type': 'application/json', 'x-a': 'b', 'x-content-type-options': 'nosniff' },
      body: '{"data":{"replyId":"e.1"}}',
    });
  });

  it.each([
    ['text/csv; charset=utf-8', true],
    ['text/html', false],
    ['image/svg+xml', false],
  ])('replies with the content type %s: %s', async (type, isAllowed) => {
    const run = webhook({ headerInfo: [{ keyTemplate: 'Content-Type', valueTemplate: type }] });
    if (isAllowed) expect((await run)!.headers!['content-type']).toBe(type);
    else await expect(run).rejects.toMatchObject({ name: 'ValidationError' });
  });

  it.each([
    [{ bodyTemplate: 'hi {{working.v}}' }, 'hi ä'],
    [{ bodyTemplateType: 'path', bodyTemplate: 'working' }, '{"v":"ä"}'],
    [{ bodyTemplate: 'AP8=', encodingTemplate: 'base64' }, Buffer.from([0, 255])],
  ])('sends %j to a WebSocket client as %j', async (config, message) => {
    const sent = await webhook({ isWebsocketMessage: true, ...config }, { working: { v: 'ä' } });
    expect(sent).toEqual({ replyId: 'e.1', message });
  });

  it('refuses messages with an unknown encoding, and those that are too long', async () => {
    const sending = { isWebsocketMessage: true, bodyTemplateType: 'path', bodyTemplate: 'working.v' };
    const working = { v: 'x'.repeat(256 * 1024 + 1) };
    await expect(webhook(sending, { working })).rejects.toMatchObject({ name: 'PayloadTooLarge' });
    const odd = { ...sending, encodingTemplate: 'base32' };
    await expect(webhook(odd, { working: { v: 'a' } })).rejects.toMatchObject({ name: 'ValidationError' });
  });
});
