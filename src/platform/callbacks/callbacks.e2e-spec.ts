import { createHmac } from 'node:crypto';
import { CallbackReceiver } from '../../../test/doubles/callback-receiver.js';
import { suite } from '../../../test/setup/suite.js';
import { waitUntil } from '../../../test/setup/until.js';
import { loadSecretsKey } from '../../lib/crypto/keys.js';
import { Database } from '../database/database.js';
import { Gone, ValidationError } from '../../lib/errors/errors.js';
import { Job } from '../jobs/job.entity.js';
import type { JobContext } from '../jobs/on-job.js';
import { newId } from '../repositories/resource.js';
import { CallbackSigner } from './callback-signer.js';
import { CALLBACK_SEND, CallbacksService } from './callbacks.service.js';

const receiver = new CallbackReceiver();
const env: Record<string, string> = {};
beforeAll(async () => {
  env.CALLBACK_ORIGINS = await receiver.start();
});
afterAll(() => receiver.stop());
const { test } = suite(env);

const applicationId = newId();
let callbacks: CallbacksService;
beforeEach(() => {
  callbacks = test.app.get(CallbacksService);
  receiver.received.length = 0;
});

const callback = (url = receiver.origin) => ({
  applicationId,
  url,
  type: 'device.export',
  data: { jobId: 'job-1' },
});
const send = (onceFor: string) =>
  test.app.get(Database).transaction((transaction) => callbacks.send(transaction, callback(), onceFor));
const jobs = () => test.dataSource.manager.findBy(Job, { name: CALLBACK_SEND.name });
const deliver = (url?: string) =>
  callbacks.deliver(callback(url), { id: 'job-2' } as JobContext).catch((error: unknown) => error);

describe('A callback', () => {
  it('is a POST with a signature that its receiver can verify', async () => {
    await send('one');
    await waitUntil(async () => receiver.received.length > 0);
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.received;
    expect(JSON.parse(body)).toEqual({
      type: 'device.export',
      timestamp: expect.stringMatching(/Z$/),
      data: { jobId: 'job-1' },
    });
    const { dataDir, SECRETS_KEY: configured } = test.config;
    const secret = new CallbackSigner(loadSecretsKey({ configured, dataDir })).secretOf(applicationId);
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
    const signature = createHmac('sha256', key).update(signed).digest('base64');
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-signature': `v1,${signature}`,
      'webhook-id': expect.stringMatching(/^[\w-]{21}$/),
    });
    expect(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(60);
  });

  it('is sent once per key, and its job is not kept', async () => {
    const before = await jobs();
    const made = async () => (await jobs()).filter(({ id }) => !before.some((job) => job.id === id));
    await send('two');
    await send('two');
    await waitUntil(async () => (await made()).every(({ status }) => status === 'completed'));
    const [job, ...others] = await made();
    expect([job!.payload, others]).toEqual([{}, []]);
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([job!.id]);
  });

  it.each([500, 404, 302, 429])(
    'is retried after the response %i, and redirects are not followed',
    async (status) => {
      receiver.answers = [status];
      const error = await deliver();
      expect([error, error instanceof Error]).toEqual([
        expect.objectContaining({ message: expect.stringContaining(String(status)) }),
        true,
      ]);
      expect(receiver.received).toHaveLength(1);
      expect(await deliver()).toBeUndefined();
      expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(
        new Set(['job-2']),
      );
    },
  );

  it('is not retried after the response 410', async () => {
    receiver.answers = [410];
    expect(await deliver()).toBeInstanceOf(Gone);
  });

  it('does not reach private addresses that the operator has not allowed, in any notation', async () => {
    for (const url of ['https://localhost/', 'https://127.0.0.1/', 'https://[::1]/', 'https://2130706433/'])
      expect(await deliver(url)).toMatchObject({ reason: 'address' });
    for (const url of ['http://example.com/', `${receiver.origin.replace('127.0.0.1', 'localhost')}/`])
      expect(await deliver(url)).toBeInstanceOf(ValidationError);
    expect(receiver.received).toEqual([]);
  });

  it.each([
    'http://example.com/',
    'https://user:password@example.com/',
    'https://example.com:22/',
    'https://127.0.0.1/',
    'https://0x7f.1/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://169.254.169.254/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'no url',
  ])('is rejected for the URL %s', (url) => {
    expect(() => callbacks.check(url, 'export.callbackUrl')).toThrow(
      new ValidationError(
        'export.callbackUrl must be an https URL of a public server without user information',
      ),
    );
  });

  it('is accepted for reachable URLs', () => {
    for (const url of ['https://example.com/hook?token=1', 'https://example.com:8443/', receiver.origin])
      callbacks.check(url, 'export.callbackUrl');
  });
});
