import { request as httpRequest } from 'node:http';
import { newId } from '../../../../platform/repositories/resource.js';
import { suite } from '../../../../../test/setup/suite.js';
import { waitUntil } from '../../../../../test/setup/until.js';
import { answerOf, ListenedWebhook } from '../../../../../test/make/webhooks.js';
import type { Reply } from '../../../../workflows/engine/ports.js';
import { Replies } from '../../../../workflows/runs/replies.js';

const THANKS = { success: true };

const platform = suite();
const { test, other } = platform;
let hook: ListenedWebhook;

beforeEach(async () => {
  hook = await ListenedWebhook.make(test, { waitForReply: true, responseCode: 202 });
});

describe('A caller that waits for a reply', () => {
  let patience: number;
  beforeEach(() => {
    patience = test.app.get(Replies).timeoutMs;
  });
  afterEach(() => {
    test.app.get(Replies).timeoutMs = patience;
  });

  /** Replies to the latest request, as an engine does, in the given process. */
  const reply = async (
    value: Partial<Reply>,
    process = test,
    applicationId: string = hook.application.id,
  ) => {
    const { replyId } = await hook.received();
    await process.app
      .get(Replies)
      .reply({ applicationId }, replyId, { status: 200, headers: {}, body: '', ...value });
  };
  const isRequested = () => waitUntil(async () => (await hook.runs()).length > 0);
  /** Sends a request, replies to it, and returns the response. */
  const answerTo = async (value: Partial<Reply>, process = test) => {
    const answer = hook.send();
    await isRequested();
    await reply(value, process);
    return answer;
  };

  it('receives the reply of the workflow', async () => {
    const headers = { 'X-Order': '7', 'content-type': 'application/vnd.shop+json' };
    const response = await answerTo({ status: 418, headers, body: '{"order":7}' });
    expect(await answerOf(response)).toEqual([418, { order: 7 }]);
    expect(response.headers.get('x-order')).toBe('7');
    expect(response.headers.get('content-type')).toMatch(/^application\/vnd\.shop\+json/);
    expect((await hook.received()).replyId).toMatch(new RegExp(`^${hook.webhook.id}\\.[\\da-f]{24}$`));
  });

  it('receives a reply from another process', async () => {
    const response = await answerTo({ status: 201, body: Buffer.from([0, 255]) }, other);
    expect([response.status, Buffer.from(await response.arrayBuffer())]).toEqual([
      201,
      Buffer.from([0, 255]),
    ]);
  });

  it('receives the first of several replies, and only of its application', async () => {
    const answer = hook.send();
    await isRequested();
    await reply({ body: 'stranger' }, test, newId());
    await reply({ body: 'first' });
    await reply({ body: 'second' });
    expect(await (await answer).text()).toBe('first');
  });

  it('receives text as text, and an empty body for no reply body', async () => {
    const text = await answerTo({ body: '<b>ä</b>' });
    expect([text.headers.get('content-type'), await text.text()]).toEqual([
      'text/plain; charset=utf-8',
      '<b>ä</b>',
    ]);
    await hook.forgetRuns();
    const empty = await answerTo({ status: 201 });
    expect([empty.status, await empty.text()]).toEqual([201, '']);
  });

  it('receives a valid response to any reply of the workflow', async () => {
    const headers = {
      'Content-Length': '1',
      'Transfer-Encoding': 'chunked',
      'Content-Security-Policy': "script-src 'unsafe-inline'",
      'not a name': 'x',
      'X-Split': 'a\r\nX-Other: b',
    };
    const response = await answerTo({ status: 99, headers, body: '[0,false]' });
    expect(await answerOf(response)).toEqual([200, [0, false]]);
    expect(response.headers.get('content-security-policy')).toMatch(/default-src 'none'/);
    expect(response.headers.get('x-split')).toBeNull();
  });

  it('receives 504 if no workflow replies in time', async () => {
    test.app.get(Replies).timeoutMs = 300;
    expect(await answerOf(await hook.send())).toEqual([
      504,
      { error: 'Time out waiting for workflow reply' },
    ]);
    expect(await hook.runs()).toHaveLength(1);
  });

  it('does not wait if no workflow runs', async () => {
    await hook.patch(`/flows/${hook.flow.id}`, { enabled: false });
    expect(await answerOf(await hook.send())).toEqual([202, THANKS]);
  });

  it('can disconnect', async () => {
    const replies = test.app.get(Replies);
    replies.timeoutMs = 60_000;
    const request = httpRequest(`${test.client.url}/webhooks/${hook.webhook.token}`).on(
      'error',
      () => undefined,
    );
    request.end();
    await waitUntil(async () => replies.size === 1);
    request.destroy();
    await waitUntil(async () => replies.size === 0);
  });
});
