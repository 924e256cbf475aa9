import { request as httpRequest } from 'node:http';
import { makeFlow } from '../../../../../test/make/flows.js';
import { suite } from '../../../../../test/setup/suite.js';
import { waitUntil } from '../../../../../test/setup/until.js';
import { answerOf, ListenedWebhook } from '../../../../../test/make/webhooks.js';
import { WebhookReplies } from './webhook-replies.js';

const THANKS = { success: true };

const { test } = suite();
let hook: ListenedWebhook;

beforeEach(async () => {
  hook = await ListenedWebhook.make(test, { waitForReply: true, responseCode: 202 });
});

describe('A caller that waits for a reply', () => {
  let patience: number;
  beforeEach(() => {
    patience = test.app.get(WebhookReplies).timeoutMs;
  });
  afterEach(() => {
    test.app.get(WebhookReplies).timeoutMs = patience;
  });

  const reply = (value: unknown, offset = 0) =>
    test.dataSource.query(
      `UPDATE flow_runs SET reply = $2 WHERE id =
         (SELECT id FROM flow_runs WHERE application_id = $1 ORDER BY id OFFSET $3 LIMIT 1)`,
      [hook.application.id, JSON.stringify(value), offset],
    );
  /** Sends a request, stores the reply of its run, and returns the response. */
  const answerTo = async (value: unknown) => {
    const answer = hook.send();
    await waitUntil(async () => (await hook.runs()).length > 0);
    await reply(value);
    return answer;
  };

  it('receives the reply of the workflow', async () => {
    const headers = { 'X-Order': '7', 'content-type': 'application/vnd.shop+json' };
    const response = await answerTo({ status: 418, headers, body: { order: 7 } });
    expect(await answerOf(response)).toEqual([418, { order: 7 }]);
    expect(response.headers.get('x-order')).toBe('7');
    expect(response.headers.get('content-type')).toMatch(/^application\/vnd\.shop\+json/);
    expect((await hook.received()).replyId).toMatch(new RegExp(`^${hook.webhook.id}\\.[\\da-f]{24}$`));
  });

  it('receives the first of several replies', async () => {
    await makeFlow(test, hook.user.token, hook.application.id, { triggers: hook.triggers });
    const answer = hook.send();
    await waitUntil(async () => (await hook.runs()).length === 2);
    await reply({ body: 'second run' }, 1);
    const response = await answer;
    expect([response.status, await response.text()]).toEqual([200, 'second run']);
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
      'X-Number': 7,
    };
    const response = await answerTo({ status: 99, headers, body: [0, false] });
    expect(await answerOf(response)).toEqual([200, [0, false]]);
    expect(response.headers.get('content-security-policy')).toMatch(/default-src 'none'/);
    expect(response.headers.get('x-split')).toBeNull();
    expect(response.headers.get('x-number')).toBe('7');
  });

  it('receives 504 if no workflow replies in time', async () => {
    test.app.get(WebhookReplies).timeoutMs = 300;
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
    const replies = test.app.get<{ waiting: Map<string, unknown> }>(WebhookReplies);
    const request = httpRequest(`${test.client.url}/webhooks/${hook.webhook.token}`).on(
      'error',
      () => undefined,
    );
    request.end();
    await waitUntil(async () => replies.waiting.size === 1);
    request.destroy();
    await waitUntil(async () => replies.waiting.size === 0);
  });
});
