import { createHmac } from 'node:crypto';
import { suite } from '../../../../../test/setup/suite.js';
import { answerOf, ListenedWebhook } from '../../../../../test/make/webhooks.js';

const HOST = 'https://hooks.example';

const { test } = suite({ PUBLIC_URL: HOST });
let hook: ListenedWebhook;

beforeEach(async () => {
  hook = await ListenedWebhook.make(test);
});

describe('Verification of webhook callers', () => {
  const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });

  it('supports basic authentication', async () => {
    await hook.change({ basicAuthUsername: 'orders', basicAuthPassword: 'Correct-Horse-7' });
    for (const headers of [{}, basic('orders:'), basic('orders:wrong'), basic(':Correct-Horse-7')]) {
      const response = await hook.postJson({}, headers);
      expect(response.headers.get('www-authenticate')).toMatch(/^Basic /);
      expect(await answerOf(response)).toEqual([401, expect.objectContaining({ type: 'Unauthorized' })]);
    }
    expect(await hook.runs()).toEqual([]);
    expect((await hook.postJson({}, basic('orders:Correct-Horse-7'))).status).toBe(200);
    await hook.change({ basicAuthUsername: '' });
    expect((await hook.postJson({}, basic('orders:Correct-Horse-7'))).status).toBe(401);
    expect((await hook.postJson({}, basic(':Correct-Horse-7'))).status).toBe(200);
    expect(await hook.runs()).toHaveLength(2);
  });

  it('supports Facebook', async () => {
    await hook.change({ verificationType: 'facebook', verificationCode: 'code' });
    const query = '?hub.mode=subscribe&hub.challenge=<b>1</b>&hub.verify_token=';
    const asked = await hook.send(`${query}code`);
    expect([asked.status, await asked.text()]).toEqual([200, '<b>1</b>']);
    expect(asked.headers.get('content-type')).toMatch(/^text\/plain/);
    expect((await hook.send(`${query}other`)).status).toBe(401);
    const signature = createHmac('sha256', 'code').update('{"ä":1}').digest('hex');
    expect((await hook.postJson({ ä: 1 }, { 'x-hub-signature-256': 'sha256=0' })).status).toBe(401);
    expect(await hook.runs()).toEqual([]);
    expect((await hook.postJson({ ä: 1 }, { 'x-hub-signature-256': `sha256=${signature}` })).status).toBe(
      200,
    );
    expect(await hook.runs()).toHaveLength(1);
  });

  it('supports Fitbit', async () => {
    await hook.change({ verificationType: 'fitbit', verificationCode: 'code' });
    expect((await hook.send('?verify=code')).status).toBe(204);
    expect((await hook.send('?verify=other')).status).toBe(404);
    const signature = createHmac('sha1', 'code&').update('[]').digest('base64');
    expect((await hook.postJson([], { 'x-fitbit-signature': 'x' })).status).toBe(401);
    expect(await hook.runs()).toEqual([]);
    expect((await hook.postJson([], { 'x-fitbit-signature': signature })).status).toBe(200);
    expect(await hook.runs()).toHaveLength(1);
  });

  it('supports Twilio, which expects an empty response', async () => {
    await hook.change({ verificationType: 'twilio', verificationCode: 'code' });
    const url = `${HOST}/webhooks/${hook.webhook.token}/sms?x=1`;
    const signature = createHmac('sha1', 'code').update(`${url}BodyHalloFrom+1`).digest('base64');
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const sms = (signed: string) =>
      hook.post('From=%2B1&Body=Hallo', { ...form, 'x-twilio-signature': signed }, '/sms?x=1');
    expect((await sms('x')).status).toBe(401);
    expect(await hook.runs()).toEqual([]);
    const response = await sms(signature);
    expect(response.headers.get('content-type')).toMatch(/^text\/xml/);
    expect(await response.text()).toMatch(/<Response><\/Response>$/);
    expect((await hook.received()).body).toEqual({ From: '+1', Body: 'Hallo' });
  });

  it('supports Alexa', async () => {
    await hook.change({ verificationType: 'alexa', verificationCode: 'amzn1.skill' });
    const said = (age: number) => ({
      session: { application: { applicationId: 'amzn1.skill' } },
      request: { timestamp: new Date(Date.now() - age).toISOString() },
    });
    expect((await hook.postJson(said(200_000))).status).toBe(400);
    expect(await hook.runs()).toEqual([]);
    expect((await hook.postJson(said(0))).status).toBe(200);
    expect(await hook.runs()).toHaveLength(1);
  });
});
