import jwt from 'jsonwebtoken';
import { generateKeyPairSync } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { httpServers } from '../../../test/doubles/http-servers.js';
import { reroutedHttp } from '../../../test/doubles/rerouted-http.js';
import { runNode } from '../../../test/doubles/run-node.js';
import type { Ports } from '../engine/ports.js';
import { googlePublishNode } from './google-publish/index.js';
import type { NodeKind } from './node-kind.js';
import { sendgridEmailNode } from './sendgrid/index.js';
import { slackNode } from './slack/index.js';
import { twilioSmsNode } from './twilio/index.js';

interface Seen {
  url: string;
  authorization: string | undefined;
  body: string;
}

const { serve } = httpServers();
const seen: Seen[] = [];
beforeEach(() => void seen.splice(0));

/** Starts a service that answers every request alike. */
const service = (status: number, answer: string, headers: Record<string, string> = {}): Promise<string> =>
  serve((request, response) => {
    void text(request).then((body) => {
      const { host, authorization } = request.headers;
      seen.push({ url: `${request.method} ${host}${request.url}`, authorization, body });
      response.writeHead(status, headers).end(answer);
    });
  });

async function after(
  kind: NodeKind,
  origin: string,
  config: object,
  payload: object = {},
  credentials?: Ports['credentials'],
): Promise<any> {
  return (await runNode(kind, config, payload, { ports: { http: reroutedHttp(origin), credentials } }))
    .payload;
}

const credential = (type: string, members: Record<string, unknown>): Ports['credentials'] => ({
  opened: async () => ({ type, enabled: true, members }),
});

describe('SendgridEmailNode', () => {
  const config = {
    sendgridApiKey: 'SG.key',
    fromTemplate: 'Plant <plant@example.com>',
    toAddresses: ['{{to}}', ''],
    subjectTemplate: 'Alarm',
    bodyTemplate: '<b>hot</b>',
    resultPath: 'r',
  };

  it('sends a mail with attachments', async () => {
    const origin = await service(202, 'file');
    const attachments = [{ filenameTemplate: 'a.txt', urlTemplate: 'https://files.example.com/a' }];
    const all = { ...config, ccAddresses: ['c@example.com'], replyToTemplate: 'r@example.com', attachments };
    expect((await after(sendgridEmailNode, origin, all, { to: 'a@example.com' })).r).toEqual({
      success: true,
    });
    const [file, mail] = seen;
    expect(file).toMatchObject({ url: 'GET files.example.com/a', authorization: undefined });
    expect(mail).toMatchObject({ url: 'POST api.sendgrid.com/v3/mail/send', authorization: 'Bearer SG.key' });
    expect(JSON.parse(mail!.body)).toEqual({
      personalizations: [{ to: [{ email: 'a@example.com' }], cc: [{ email: 'c@example.com' }] }],
      from: { email: 'plant@example.com', name: 'Plant' },
      reply_to: { email: 'r@example.com' },
      subject: 'Alarm',
      content: [{ type: 'text/html', value: '<b>hot</b>' }],
      attachments: [{ filename: 'a.txt', content: Buffer.from('file').toString('base64') }],
    });
  });

  it('writes errors and requires a recipient', async () => {
    const origin = await service(401, '{"errors":[{"message":"The API key is invalid"}]}');
    const { r } = await after(sendgridEmailNode, origin, config, { to: 'a@example.com' });
    expect(r).toEqual({ error: { type: 'ServiceError', message: 'The API key is invalid' } });
    await expect(after(sendgridEmailNode, origin, config)).rejects.toThrow('toAddresses is required');
  });

  it('uses a credential', async () => {
    const origin = await service(202, '');
    const { sendgridApiKey: _, ...rest } = config;
    const named = { ...rest, credentialNameTemplate: 'mail' };
    const key = credential('sendgrid', { apiKey: 'SG.sealed' });
    await after(sendgridEmailNode, origin, named, { to: 'a@example.com' }, key);
    expect(seen[0]!.authorization).toBe('Bearer SG.sealed');
    const other = credential('twilio', {});
    await expect(after(sendgridEmailNode, origin, named, {}, other)).rejects.toThrow('of type sendgrid');
  });
});

describe('TwilioSmsNode', () => {
  const config = {
    accountSid: 'AC1',
    authToken: 'token',
    fromNumber: '+1',
    toNumbers: ['+2', '{{to}}'],
    bodyTemplate: 'hot',
    resultsPath: 'r',
  };
  const basic = (given: string) => `Basic ${Buffer.from(given).toString('base64')}`;

  it('sends a message to each number', async () => {
    const origin = await service(201, '{}');
    expect((await after(twilioSmsNode, origin, config, { to: '+3' })).r).toEqual([
      { success: true },
      { success: true },
    ]);
    expect(seen).toEqual(
      ['%2B2', '%2B3'].map((to) => ({
        url: 'POST api.twilio.com/2010-04-01/Accounts/AC1/Messages.json',
        authorization: basic('AC1:token'),
        body: `From=%2B1&Body=hot&To=${to}`,
      })),
    );
  });

  it('writes errors for each number, and uses a credential', async () => {
    const origin = await service(400, '{"code":21211,"message":"The number is invalid"}');
    const members = { accountSid: 'AC2', apiKeySid: 'SK2', apiKeySecret: 'sealed' };
    const named = { ...config, credentialNameTemplate: 'sms' };
    const { r } = await after(twilioSmsNode, origin, named, {}, credential('twilio', members));
    expect(r).toEqual([{ error: true, message: 'The number is invalid' }]);
    expect(seen[0]!.authorization).toBe(basic('SK2:sealed'));
  });
});

describe('SlackNode', () => {
  const config = { urlPathTemplate: '/services/T0/B0/x', textTemplate: 'hot', resultPath: 'r' };

  it('sends a text, or the payload', async () => {
    const origin = await service(200, 'ok');
    const { r } = await after(slackNode, origin, { ...config, channelTemplate: '#plant' });
    expect(r).toEqual({ success: true, sent: { text: 'hot', channel: '#plant' } });
    expect(seen[0]).toMatchObject({ url: 'POST hooks.slack.com/services/T0/B0/x' });
    const blank = {
      ...config,
      urlPathTemplate: 'https://hooks.slack.com/services/T0/B0/x',
      textTemplate: '',
    };
    await after(slackNode, origin, blank, { a: 1 });
    expect(seen[1]).toMatchObject({ url: seen[0]!.url, body: '{"text":"{\\"a\\":1}"}' });
  });

  it('writes errors, or throws them without a path', async () => {
    const origin = await service(404, 'no_service');
    expect((await after(slackNode, origin, config)).r).toEqual({
      success: false,
      sent: { text: 'hot' },
      error: 'no_service',
    });
    await expect(after(slackNode, origin, { ...config, resultPath: '' })).rejects.toThrow('no_service');
  });

  it.each(['https://evil.example/x', '../x', '@evil.example', ''])(
    'refuses the path %j',
    async (urlPathTemplate) => {
      const origin = await service(200, 'ok');
      await expect(after(slackNode, origin, { ...config, urlPathTemplate })).rejects.toThrow(
        'urlPathTemplate',
      );
      expect(seen).toEqual([]);
    },
  );

  it('does not follow redirects', async () => {
    const origin = await service(302, '', { location: 'https://evil.example/' });
    expect((await after(slackNode, origin, config)).r.error).toBe('The service responded with status 302');
  });
});

describe('GooglePublishNode', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const account = {
    client_email: 'p@x.iam.gserviceaccount.com',
    private_key: privateKey,
    private_key_id: 'k1',
    project_id: 'north',
  };
  const config = {
    credentialNameTemplate: 'gcp',
    topicTemplate: 'reports',
    dataTemplate: 't={{t}}',
    attrFields: [{ name: 'site', value: '{{s}}' }],
    resultPath: 'r',
  };
  const key = credential('gcp', { keyJson: JSON.stringify(account) });

  it('publishes a message with a token that the account has signed', async () => {
    const origin = await service(200, '{"messageIds":["17"]}');
    const { r } = await after(googlePublishNode, origin, config, { t: 7, s: 'n' }, key);
    expect(r).toEqual({ success: true, messageId: '17' });
    const [{ url, authorization, body }] = seen as [Seen];
    expect(url).toBe('POST pubsub.googleapis.com/v1/projects/north/topics/reports:publish');
    expect(JSON.parse(body)).toEqual({
      messages: [{ data: Buffer.from('t=7').toString('base64'), attributes: { site: 'n' } }],
    });
    const token = jwt.verify(authorization!.replace('Bearer ', ''), publicKey, { complete: true });
    expect(token).toMatchObject({
      header: { kid: 'k1', alg: 'RS256' },
      payload: {
        iss: account.client_email,
        sub: account.client_email,
        aud: 'https://pubsub.googleapis.com/',
      },
    });
  });

  it('writes errors, and shows no key that is invalid', async () => {
    const origin = await service(403, '{"error":{"code":403,"message":"Not allowed"}}');
    expect((await after(googlePublishNode, origin, config, {}, key)).r).toEqual({
      success: false,
      error: { type: 'ServiceError', message: 'Not allowed' },
    });
    for (const keyJson of ['sealed-key', JSON.stringify({ ...account, private_key: 'sealed-key' })]) {
      const error = await after(googlePublishNode, origin, config, {}, credential('gcp', { keyJson })).catch(
        (thrown) => thrown,
      );
      expect(error).toMatchObject({ name: 'ValidationError' });
      expect(error.message).not.toContain('sealed-key');
    }
    await expect(
      after(googlePublishNode, origin, { ...config, topicTemplate: '../x/y' }, {}, key),
    ).rejects.toThrow('topicTemplate');
  });
});
