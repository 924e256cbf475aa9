import { createHmac } from 'node:crypto';
import { CallbackSigner } from './callback-signer.js';

const ONE = '575ec8687ae143cd83dc4a97';
const OTHER = '575ec8687ae143cd83dc4a98';
const CALLBACK = { id: 'msg-1', time: 1465790400, body: '{"type":"device.export"}' };
const signer = new CallbackSigner(Buffer.alloc(32, 7));

describe('CallbackSigner', () => {
  it('signs ID, time and body with the secret of the application', () => {
    const secret = Buffer.from(signer.secretOf(ONE).slice('whsec_'.length), 'base64');
    const signed = createHmac('sha256', secret).update(`msg-1.1465790400.${CALLBACK.body}`);
    expect(signer.headersOf(ONE, CALLBACK)).toEqual({
      'webhook-id': 'msg-1',
      'webhook-timestamp': '1465790400',
      'webhook-signature': `v1,${signed.digest('base64')}`,
    });
    expect(secret).toHaveLength(32);
  });

  it.each([
    ['body', { ...CALLBACK, body: '{}' }],
    ['time', { ...CALLBACK, time: CALLBACK.time + 1 }],
    ['id', { ...CALLBACK, id: 'msg-2' }],
  ])('creates a different signature for another %s', (_what, changed) => {
    const of = (callback: typeof CALLBACK) => signer.headersOf(ONE, callback)['webhook-signature'];
    expect(of(changed)).not.toBe(of(CALLBACK));
  });

  it('derives a stable secret for each application and installation', () => {
    const anew = new CallbackSigner(Buffer.alloc(32, 8));
    const secrets = [signer.secretOf(ONE), signer.secretOf(OTHER), anew.secretOf(ONE)];
    expect(new Set(secrets).size).toBe(3);
    expect(new CallbackSigner(Buffer.alloc(32, 7)).secretOf(ONE)).toBe(secrets[0]);
  });
});
