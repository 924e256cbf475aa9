import { createHash, generateKeyPairSync, publicDecrypt } from 'node:crypto';
import { runNode } from '../../../test/doubles/run-node.js';
import { cryptoSignNode } from './crypto-sign/index.js';
import { cryptoVerifyNode } from './crypto-verify/index.js';

const pem = { format: 'pem', type: 'spki' } as const;
const pkcs8 = { format: 'pem', type: 'pkcs8' } as const;
const rsa = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: pem,
  privateKeyEncoding: pkcs8,
});
const small = generateKeyPairSync('rsa', {
  modulusLength: 512,
  publicKeyEncoding: pem,
  privateKeyEncoding: pkcs8,
});
const ec = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  publicKeyEncoding: pem,
  privateKeyEncoding: pkcs8,
});
const ed = generateKeyPairSync('ed25519', { publicKeyEncoding: pem, privateKeyEncoding: pkcs8 });

const config = {
  dataTemplate: '{{d}}',
  keyTemplate: '{{{k}}}',
  signatureTemplate: '{{{s}}}',
  resultPath: 'r',
};
const sign = async (k: unknown, more: object = {}, d = 'abc'): Promise<any> =>
  ((await runNode(cryptoSignNode, { ...config, ...more }, { k, d })).payload as any).r;
const verify = async (k: unknown, s: string, more: object = {}, d = 'abc') =>
  (await runNode(cryptoVerifyNode, { ...config, ...more }, { k, d, s })).output;

describe('CryptoSignNode and CryptoVerifyNode', () => {
  it.each<[string, typeof rsa, object]>([
    ['RSA', rsa, {}],
    ['RSA', rsa, { algorithmTemplate: 'sha384', signatureEncodingTemplate: 'hex' }],
    ['RSA', rsa, { algorithmTemplate: 'MD5', paddingTemplate: 'RSA_PKCS1_PSS_PADDING' }],
    ['EC', ec, { algorithmTemplate: 'SHA1' }],
    ['EC', ec, { dsaEncodingTemplate: 'ieee-p1363' }],
    ['EC', ec, { keyTemplateType: 'payloadPath', keyTemplate: 'k' }],
  ])('sign and verify with %s', async (_name, { privateKey, publicKey }, more) => {
    const { signature } = await sign(privateKey, more);
    expect(await verify(publicKey, signature, more)).toBe(1);
    expect(await verify(privateKey, signature, more)).toBe(1);
    expect(await verify(publicKey, signature, more, 'abd')).toBe(0);
    expect(await verify(publicKey, '00', more)).toBe(0);
  });

  it('sign the bytes that the encoding of the data yields', async () => {
    const { signature } = await sign(rsa.privateKey, { dataEncodingTemplate: 'hex' }, '616263');
    const digest = publicDecrypt(rsa.publicKey, Buffer.from(signature, 'base64')).subarray(-32);
    expect(digest).toEqual(createHash('sha256').update('abc').digest());
  });

  it('take the key of a credential', async () => {
    const members = { certificate: ec.publicKey, privateKey: ec.privateKey };
    const opened = (type: string) => () => Promise.resolve({ type, enabled: true, members });
    const more = { ...config, credentialNameTemplate: 'c', keyTemplate: '' };
    const ports = { credentials: { opened: opened('certificateKeyPair') } };
    const { payload } = await runNode(cryptoSignNode, more, { d: 'abc' }, { ports });
    const s = (payload as any).r.signature;
    expect(await runNode(cryptoVerifyNode, more, { d: 'abc', s }, { ports })).toMatchObject({ output: 1 });
    const other = { ports: { credentials: { opened: opened('jwt') } } };
    await expect(runNode(cryptoVerifyNode, more, { d: 'abc', s }, other)).rejects.toMatchObject({
      message: 'credentialNameTemplate must be the name of an enabled credential of type certificateKeyPair',
    });
  });

  it.each<[string, unknown, object, string]>([
    ['no key', '', {}, 'keyTemplate is required'],
    ['a number as key', 5, { keyTemplateType: 'payloadPath', keyTemplate: 'k' }, 'keyTemplate is required'],
    ['a long key', 'x'.repeat(8197), {}, 'keyTemplate must have at most 8196 characters'],
    [
      'a key of another kind',
      ed.privateKey,
      {},
      'keyTemplate must be an EC key, or an RSA key of at most 4096 bits',
    ],
    [
      'a key on a disk',
      rsa.privateKey,
      { keyTemplateType: 'diskPath' },
      'keyTemplateType diskPath is available on devices only',
    ],
    [
      'another algorithm',
      rsa.privateKey,
      { algorithmTemplate: 'MD4' },
      'algorithmTemplate must be one of SHA256, SHA384, SHA1, MD5',
    ],
    ['another padding', rsa.privateKey, { paddingTemplate: 'none' }, 'paddingTemplate must be one of'],
    [
      'another encoding of the signature',
      rsa.privateKey,
      { dsaEncodingTemplate: 'x' },
      'dsaEncodingTemplate must be one of der, ieee-p1363',
    ],
    [
      'another encoding of the data',
      rsa.privateKey,
      { dataEncodingTemplate: 'x' },
      'dataEncodingTemplate must be one of',
    ],
  ])('write an error for, or fail the run with, %s', async (_name, k, more, message) => {
    expect((await sign(k, more)).error.message).toContain(message);
    await expect(verify(k, '00', more)).rejects.toMatchObject({
      name: 'ValidationError',
      message: expect.stringContaining(message),
    });
  });

  it('write an error for a public key that signs, and for a key that is too short', async () => {
    expect(await sign(rsa.publicKey)).toEqual({
      error: { message: 'keyTemplate must be exactly one private key in PEM format' },
    });
    expect(await sign(small.privateKey, { algorithmTemplate: 'SHA384' })).toEqual({
      error: { message: expect.stringContaining('digest too big') },
    });
  });

  it('fail the run for a key that cannot be read, and without a signature', async () => {
    await expect(verify('x', '00')).rejects.toMatchObject({
      message: 'keyTemplate must be a key in PEM format',
    });
    await expect(verify(rsa.publicKey, '')).rejects.toMatchObject({
      message: 'signatureTemplate is required',
    });
  });
});
