import fc from 'fast-check';
import { DeclaredSecrets } from '../responses/declared-secrets.js';
import { loggableOf, redact } from './redact.js';

const CANARY = 'canary-7f3a';
const SECRETS = [
  'password',
  'newPassword',
  'basicAuthPassword',
  'passphrase',
  'secret',
  'clientSecret',
  'secretAccessKey',
  'token',
  'cardToken',
  'access_token',
  'jwt',
  'privateKey',
  'private_key',
  'sslKey',
  'accountKey',
  'keyJson',
  'apiKey',
  'authKey',
  'encryptionKey',
  'connectionString',
  'connectionUri',
  'headerValue',
  'verificationCode',
  'twoFactorCode',
  'twoFactorAuthKey',
  'credentials',
  'Authorization',
  'SAMLResponse',
];
const PLAIN = ['name', 'description', 'key', 'value', 'json', 'url', 'credentialName', 'tokenTTL', 'keyId'];

/** JSON below a secret property: all of its text is the canary. */
const secretValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constant(CANARY),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...PLAIN, ...SECRETS), tie('value'), { maxKeys: 3 }),
  ),
})).value;

/** JSON with secrets at any position. */
const body = fc.letrec<{ value: unknown; object: Record<string, unknown> }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: 'binary' }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    tie('object'),
  ),
  object: fc
    .tuple(
      fc.dictionary(fc.oneof(fc.constantFrom(...PLAIN), fc.string({ unit: 'binary' })), tie('value'), {
        maxKeys: 4,
      }),
      fc.dictionary(fc.constantFrom(...SECRETS), secretValue, { maxKeys: 2 }),
    )
    .map(([plain, secret]) => ({ ...plain, ...secret })),
}));

describe('redact', () => {
  it('removes all secrets at any depth', () => {
    fc.assert(
      fc.property(body.value, (value) => {
        expect(JSON.stringify(redact(value))).not.toContain(CANARY);
      }),
      { numRuns: 1000 },
    );
  });

  it('keeps the names of all properties and the order and number of items', () => {
    const plain = fc.jsonValue({ noUnicodeString: true, maxDepth: 4 });
    fc.assert(fc.property(plain, (value) => expect(shapeOf(redact(value))).toEqual(shapeOf(value))));
  });

  it.each([
    [{ name: 'Pump', tags: ['a'], on: true, count: 2, parent: null }],
    [{ credentialName: 'Bucket', tokenTTL: 60, expUserTokenCutoff: '2026-06-13T04:00:00.000Z' }],
    [{ applicationKeyId: 'a', secretIds: ['b'], tokenScope: ['all.User'], secretEnabled: 'yes' }],
    [{ limits: { apitoken: 5, credential: 2 }, invalidateExistingTokens: true, password: null }],
    [{ key: 'region', json: '"eu"' }],
    [{ keyTemplate: 'Accept', valueTemplate: 'text/csv', name: 'Bearer of news' }],
    [{ url: 'https://example.com/a@b?c=d@e' }],
  ])('leaves %j unchanged', (value) => {
    expect(redact(value)).toEqual(value);
  });

  it.each([
    [
      { password: 'a', name: 'b' },
      { password: '[redacted]', name: 'b' },
    ],
    [{ tokens: ['a', { of: 'b', n: 1 }] }, { tokens: ['[redacted]', { of: '[redacted]', n: 1 }] }],
    [
      [
        { key: 'api-key', json: '"a"' },
        { key: 'Authorization', value: 'b' },
      ],
      [
        { key: 'api-key', json: '[redacted]' },
        { key: 'Authorization', value: '[redacted]' },
      ],
    ],
    [
      { headers: [{ keyTemplate: 'Authorization', valueTemplate: 'b' }], name: 'Cookie', value: 'c' },
      {
        headers: [{ keyTemplate: 'Authorization', valueTemplate: '[redacted]' }],
        name: 'Cookie',
        value: '[redacted]',
      },
    ],
    [
      { keyTemplate: '{{header}}', valueTemplate: 'Bearer b' },
      { keyTemplate: '{{header}}', valueTemplate: '[redacted]' },
    ],
    [{ url: 'https://ada:a@b@example.com/c' }, { url: 'https://[redacted]@example.com/c' }],
  ])('removes the secrets from %j', (value, kept) => {
    expect(redact(value)).toEqual(kept);
  });

  it('redacts declared secrets entirely, regardless of their name, and keeps their surroundings', () => {
    const item = { properties: { pin: { type: 'string', format: 'password' } } };
    const schema = {
      properties: { list: { items: item }, hidden: { type: 'object', writeOnly: true }, pin: {} },
    };
    const value = { list: [{ pin: 'a', of: 'b' }, { pin: null }], hidden: { n: 1, on: true }, pin: 'c' };
    expect(redact(value, DeclaredSecrets.in(schema, {}))).toEqual({
      list: [{ pin: '[redacted]', of: 'b' }, { pin: null }],
      hidden: '[redacted]',
      pin: 'c',
    });
  });

  it('does not modify its argument', () => {
    const value = { password: 'a', deep: { secret: ['b'] } };
    redact(value);
    expect(value).toEqual({ password: 'a', deep: { secret: ['b'] } });
  });
});

describe('loggableOf', () => {
  it('returns an object of bounded size that PostgreSQL can store, or undefined', () => {
    const long = fc.tuple(fc.string({ unit: 'binary', maxLength: 40 }), fc.nat(2_000));
    const text = long.map(([part, times]) => part.repeat(times));
    const large = fc.oneof(body.value, text, fc.array(text), fc.dictionary(text, text));
    fc.assert(
      fc.property(large, (value) => {
        const kept = loggableOf(value);
        if (value === null) return expect(kept).toBeUndefined();
        const json = JSON.stringify(kept);
        expect(json.startsWith('{')).toBe(true);
        expect(Buffer.byteLength(json)).toBeLessThan(64 * 1024);
        expect(json).not.toMatch(/(?<!\\)(\\\\)*\\u(0000|d[89a-f])/);
        expect(json).not.toContain(CANARY);
      }),
    );
  });

  it('keeps a small body; an array becomes `items`', () => {
    expect(loggableOf({ a: 1 })).toEqual({ a: 1 });
    expect(loggableOf([1])).toEqual({ items: [1] });
    expect(loggableOf(undefined)).toBeUndefined();
    expect(loggableOf(null)).toBeUndefined();
  });

  it('reduces a large body to its size and its property names', () => {
    const kept = loggableOf({ name: 'a', readme: 'b'.repeat(40_000), password: 'c' });
    expect(kept).toEqual({ '@bytes': 40_048, '@members': ['name', 'readme', 'password'] });
  });

  it('truncates the list of property names and long names', () => {
    const members = Array.from({ length: 5_000 }, (_, i) => [`${i}${'a'.repeat(200)}`, i] as const);
    const kept = loggableOf(Object.fromEntries(members)) as { '@members': string[] };
    expect(kept['@members']).toHaveLength(100);
    expect(Math.max(...kept['@members'].map(({ length }) => length))).toBe(100);
  });

  it('replaces characters that PostgreSQL cannot store', () => {
    expect(loggableOf({ 'a\0': 'b\0c', d: '\ud800' })).toEqual({ 'a\ufffd': 'b\ufffdc', d: '\ufffd' });
  });
});

/** Returns a value with its properties and items but no other content. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.entries(value).map(([name, member]) => [name, shapeOf(member)]);
}
