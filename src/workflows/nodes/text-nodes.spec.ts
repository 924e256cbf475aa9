import { generateKeyPairSync } from 'node:crypto';
import { runNode } from '../../../test/doubles/run-node.js';
import { csvDecodeNode } from './csv-decode/index.js';
import { csvEncodeNode } from './csv-encode/index.js';
import { hashNode } from './hash/index.js';
import { jwtCreateNode } from './jwt-create/index.js';
import { jwtDecodeNode } from './jwt-decode/index.js';
import { jwtVerifyNode } from './jwt-verify/index.js';
import type { NodeKind } from './node-kind.js';
import { structureEmailNode } from './structure-email/index.js';
import { structureSmsNode } from './structure-sms/index.js';
import { RunFault } from '../engine/run-error.js';
import type { FlowMail, Ports } from '../engine/ports.js';

const result = async (node: NodeKind, config: object, payload: object = {}, ports: Partial<Ports> = {}) =>
  runNode(node, config, payload, { ports });
/** Returns the value that a node writes to the path `o`. */
const written = async (...given: Parameters<typeof result>): Promise<any> =>
  ((await result(...given)).payload as { o?: unknown }).o;

describe('CSVDecodeNode', () => {
  it.each<[unknown, object, unknown]>([
    ['Food,Drink\nBurger,Soda\n', { recordDelimiterTemplate: '\n' }, [{ Food: 'Burger', Drink: 'Soda' }]],
    ['a,b\r\n"1,""x""",2\r\n', {}, [{ a: '1,"x"', b: '2' }]],
    [
      "a;b|'1;2';3",
      { delimiterTemplate: ';', recordDelimiterTemplate: '|', quoteCharTemplate: "'" },
      [{ a: '1;2', b: '3' }],
    ],
    ['\uFEFFa\n1', { stripBom: true }, [{ a: '1' }]],
    ['', {}, []],
    ['a,b\n1', {}, { error: { message: expect.stringContaining('Record Length') } }],
    ['x'.repeat(1024 * 1024 + 1), {}, { error: { message: expect.stringContaining('at most') } }],
    [5, {}, { error: { message: 'source must be a text' } }],
  ])('decodes %.40j with %j', async (s, config, expected) => {
    expect(await written(csvDecodeNode, { source: 's', destination: 'o', ...config }, { s })).toEqual(
      expected,
    );
  });

  it('does not reach prototypes', async () => {
    const [row] = await written(csvDecodeNode, { source: 's', destination: 'o' }, { s: '__proto__,a\nx,1' });
    expect(row.a).toBe('1');
    expect(Object.getPrototypeOf(row)).toBe(Object.prototype);
  });
});

describe('CSVEncodeNode', () => {
  const s = [
    { a: 1, b: 'x,"y"', c: { d: true } },
    { b: null, a: '=1', e: 5 },
  ];
  it.each<[object, string]>([
    [{}, 'a,b,c\n1,"x,""y""","{""d"":true}"\n=1,,\n'],
    [
      { headerTemplateType: 'stringTemplates', headerTemplate: ['a', '{{n}}'], delimiterTemplate: ';' },
      'a;e\n1;\n=1;5\n',
    ],
    [{ headerTemplateType: 'payloadPath', headerTemplate: 'names' }, 'b\n"x,""y"""\n\n'],
  ])('encodes with %j', async (config, expected) => {
    const payload = { s, n: 'e', names: ['b'] };
    expect(await written(csvEncodeNode, { source: 's', destination: 'o', ...config }, payload)).toBe(
      expected,
    );
  });

  it.each([5, [1], undefined])('fails the run for the source %j', async (source) => {
    await expect(
      result(csvEncodeNode, { source: 's', destination: 'o' }, { s: source }),
    ).rejects.toMatchObject({ name: 'ValidationError' });
  });
});

describe('HashNode', () => {
  it.each<[object, string]>([
    [{ algorithmTemplate: 'MD5' }, '900150983cd24fb0d6963f7d28e17f72'],
    [{ algorithmTemplate: 'sha1', encodingTemplate: 'base64' }, 'qZk+NkcGgWq6PiVxeFDCbJzQ2J0='],
    [{ algorithmTemplate: 'RIPEMD' }, '8eb208f7e05d987a9b044a8e98c6b087f15a0bfc'],
    [
      { algorithmTemplate: 'SHA256', secretTemplate: '6b6579', secretEncodingTemplate: 'hex' },
      '9c196e32dc0175f86f4b1cb89289d6619de6bee699e4c378e68309ed97a1a6ab',
    ],
    [
      { algorithmTemplate: 'MD5', dataTemplate: '616263', dataEncodingTemplate: 'hex' },
      '900150983cd24fb0d6963f7d28e17f72',
    ],
    [
      { algorithmTemplate: 'Whirlpool', encodingTemplate: 'base64' },
      'TiRIpMb0hrsWtlYsc7QCC/MEPjpzG85yGuGzA9l+bUxxge69tsV+J30ONJVxFMvWx5f8nZXYtYLSJSkgdtTu9Q==',
    ],
    [
      { algorithmTemplate: 'Whirlpool', secretTemplate: 'key' },
      'cc54c8afbd90efeb6fc30b50853cd9ecb775f96f8bc6bc0282f86ebf398f4b32ce59ab14a347bb927997c17fdf4dac791d8a87a9faba4b00e2ab7febaea35c88',
    ],
  ])('computes with %j %s', async (config, expected) => {
    expect(
      await written(hashNode, { dataTemplate: '{{d}}', destinationPath: 'o', ...config }, { d: 'abc' }),
    ).toBe(expected);
  });

  it('fails the run for other algorithms', async () => {
    const config = { dataTemplate: '', algorithmTemplate: 'CRC32', destinationPath: 'o' };
    await expect(result(hashNode, config)).rejects.toMatchObject({ name: 'ValidationError' });
  });
});

describe('JWTCreateNode, JWTVerifyNode and JWTDecodeNode', () => {
  const pem = { format: 'pem', type: 'spki' } as const;
  const pkcs8 = { format: 'pem', type: 'pkcs8' } as const;
  const rsa = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: pem,
    privateKeyEncoding: pkcs8,
  });
  const ec = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: pem,
    privateKeyEncoding: pkcs8,
  });
  const create = (config: object, payload: object = {}) =>
    written(
      jwtCreateNode,
      { dataTemplate: '{"a":"{{x}}"}', destinationPath: 'o', secretTemplate: '{{{k}}}', ...config },
      { x: 'b', k: 'secret', ...payload },
    );
  const verify = (token: string, config: object = {}, k = 'secret') =>
    result(
      jwtVerifyNode,
      { tokenTemplate: '{{t}}', secretTemplate: '{{{k}}}', errorPath: 'o', ...config },
      { t: token, k },
    );
  const decode = (t: string, complete = false) =>
    written(jwtDecodeNode, { tokenTemplate: '{{t}}', complete, destinationPath: 'o' }, { t });

  it.each([
    ['HS256', 'secret', 'secret'],
    ['RS256', rsa.privateKey, rsa.publicKey],
    ['ES256', ec.privateKey, ec.publicKey],
  ])('sign and verify with %s', async (algorithmTemplate, k, publicKey) => {
    const token = await create({ algorithmTemplate, issuerTemplate: 'me', expiresIn: 60 }, { k });
    expect(await verify(token, { issuerTemplate: 'me' }, publicKey)).toMatchObject({ output: 1 });
    expect((await verify(token, {}, `${k}${k}`)).output).toBe(algorithmTemplate === 'HS256' ? 0 : 1);
    const claims = await decode(token);
    expect(claims).toMatchObject({ a: 'b', iss: 'me' });
    expect(claims.exp - claims.iat).toBe(60);
    expect(await decode(token, true)).toMatchObject({ header: { alg: algorithmTemplate }, payload: claims });
  });

  it('prefer claims and headers to settings', async () => {
    const token = await create(
      {
        dataTemplateType: 'path',
        dataTemplate: 'claims',
        headerTemplate: '{"alg":"HS512","kid":"k"}',
        issuerTemplate: 'me',
        expiresIn: '60',
      },
      { claims: { iat: 1, exp: 2, iss: 'you' } },
    );
    expect(await decode(token, true)).toMatchObject({
      header: { alg: 'HS512', kid: 'k' },
      payload: { iat: 1, exp: 2, iss: 'you' },
    });
  });

  it.each<[string, () => Promise<string>, object, string]>([
    ['has expired', () => create({ expiresIn: -1 }), {}, 'secret'],
    ['has another issuer', () => create({ issuerTemplate: 'you' }), { issuerTemplate: 'me' }, 'secret'],
    ['has another signature', () => create({ secretTemplate: 'other' }), {}, 'secret'],
    ['has no signature', () => Promise.resolve('eyJhbGciOiJub25lIn0.e30.'), {}, 'secret'],
    ['is none', () => Promise.resolve('x'), {}, 'secret'],
    ['is signed with a public key', () => create({}, { k: rsa.publicKey }), {}, rsa.publicKey],
  ])('a token that %s is invalid', async (_title, token, config, k) => {
    const { output, payload } = await verify(await token(), config, k);
    expect(output).toBe(0);
    expect(payload).toMatchObject({ o: { name: expect.any(String), message: expect.any(String) } });
  });

  it.each([
    { algorithmTemplate: 'none' },
    { headerTemplate: '{"alg":"none"}' },
    { algorithmTemplate: 'RS256' },
    { dataTemplate: '5' },
  ])('creating a token with %j writes an error', async (config) => {
    expect(await create(config)).toEqual({ error: { type: 'JWTError', message: expect.any(String) } });
  });

  it('take the key of a credential', async () => {
    const members = { algorithm: 'HS384', issuer: 'me', secret: 'Zx8pQ4' };
    const credentials = { opened: () => Promise.resolve({ type: 'jwt', enabled: true, members }) };
    const config = {
      credentialNameTemplate: 'c',
      dataTemplate: '{}',
      destinationPath: 'o',
      tokenTemplate: '{{t}}',
    };
    const t = await written(jwtCreateNode, config, {}, { credentials });
    expect(await decode(t, true)).toMatchObject({ header: { alg: 'HS384' }, payload: { iss: 'me' } });
    expect(await result(jwtVerifyNode, config, { t }, { credentials })).toMatchObject({ output: 1 });
    const disabled = { opened: () => Promise.resolve({ type: 'jwt', enabled: false, members }) };
    await expect(result(jwtVerifyNode, config, { t }, { credentials: disabled })).rejects.toMatchObject({
      name: 'ValidationError',
    });
  });

  it('fail the run without a token or a key', async () => {
    for (const run of [verify(''), verify('x', { secretTemplate: '' }), create({ secretTemplate: '' })])
      await expect(run).rejects.toMatchObject({ name: 'ValidationError' });
  });

  it('write an error for a token that cannot be decoded', async () => {
    expect(await decode('x')).toEqual({ error: { type: 'JWTError', message: expect.any(String) } });
  });
});

describe('StructureEmailNode', () => {
  const config = {
    toAddresses: ['{{to}}', ''],
    subjectTemplate: 'S {{n}}',
    bodyTemplate: '<p>{{n}}</p>',
    resultPath: 'o',
  };
  const send = (more: object, failure?: Error) => {
    const sent: FlowMail[] = [];
    const mail = {
      send: (_actor: unknown, _effectId: string, one: FlowMail) => {
        sent.push(one);
        return failure ? Promise.reject(failure) : Promise.resolve();
      },
    };
    const payload = { to: ' a@example.com', n: 5 };
    return written(structureEmailNode, { ...config, ...more }, payload, { mail }).then((o: unknown) => ({
      o,
      sent,
    }));
  };

  it('sends a mail', async () => {
    expect(await send({})).toEqual({
      o: { success: true },
      sent: [{ to: ['a@example.com'], subject: 'S 5', html: '<p>5</p>' }],
    });
  });

  it('writes the error of a mail that is refused', async () => {
    const { o } = await send({}, new RunFault('TooManyRequests', 'too many'));
    expect(o).toEqual({ error: { type: 'TooManyRequests', message: 'too many' } });
    expect((await send({ subjectTemplate: 'x'.repeat(256) })).o).toEqual({
      error: { type: 'Validation', message: expect.any(String) },
    });
  });

  it('fails the run without a subject', async () => {
    await expect(send({ subjectTemplate: '{{missing}}' })).rejects.toMatchObject({ name: 'ValidationError' });
  });
});

describe('StructureSmsNode', () => {
  it('fails the run', async () => {
    await expect(result(structureSmsNode, {})).rejects.toMatchObject({ name: 'NotAvailable' });
  });
});
