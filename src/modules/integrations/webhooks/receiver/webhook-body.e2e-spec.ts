import { gzipSync } from 'node:zlib';
import { suite } from '../../../../../test/setup/suite.js';
import { answerOf, ListenedWebhook } from '../../../../../test/make/webhooks.js';

const KIB = 1024;

const { test } = suite();
let hook: ListenedWebhook;

beforeEach(async () => {
  hook = await ListenedWebhook.make(test);
});

describe('The body of a webhook request', () => {
  const bytes = Buffer.from([0, 255, 65]);
  const bytesOf = async (castBuffersAs?: string) => {
    if (castBuffersAs) await hook.change({ castBuffersAs });
    expect((await hook.post(bytes, { 'content-type': 'application/octet-stream' })).status).toBe(200);
    return (await hook.received()).body;
  };

  it.each<[string, string, unknown]>([
    ['application/json', '[1,{"a":null}]', [1, { a: null }]],
    ['application/json', '"text"', 'text'],
    ['application/vnd.api+json; charset=utf-8', '{"ä":1}', { ä: 1 }],
    [
      'application/x-www-form-urlencoded',
      'a=1&b[c]=%C3%A4&d=1&d=2',
      { a: '1', b: { c: 'ä' }, d: ['1', '2'] },
    ],
    ['text/plain', 'ä', 'ä'],
    ['text/csv', 'a,b\n1,2', 'a,b\n1,2'],
    ['application/xml', '<a/>', '<a/>'],
    ['image/svg+xml', '<svg/>', '<svg/>'],
  ])('of type %s is parsed: %s', async (type, text, body) => {
    expect((await hook.post(text, { 'content-type': type })).status).toBe(200);
    expect((await hook.received()).body).toEqual(body);
  });

  it('is decoded with its character set', async () => {
    await hook.post(Buffer.from('ä', 'latin1'), { 'content-type': 'text/plain; charset=iso-8859-1' });
    expect((await hook.received()).body).toBe('ä');
    const unknown = await hook.post('a', { 'content-type': 'text/plain; charset=klingon' });
    expect(unknown.status).toBe(415);
  });

  it('can be compressed', async () => {
    const body = gzipSync('{"a":1}');
    await hook.post(body, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    expect((await hook.received()).body).toEqual({ a: 1 });
  });

  it('of another type is encoded as configured in the webhook', async () => {
    expect(await bytesOf()).toBe('AP9B');
    expect(await bytesOf('base64')).toBe('AP9B');
    expect(await bytesOf('hex')).toBe('00ff41');
    expect(await bytesOf('array')).toEqual([0, 255, 65]);
    expect(await bytesOf('binary')).toBe('\0\u00ffA');
    expect(await bytesOf('utf8')).toBe('\0\ufffdA');
  });

  it('of a multipart form contains the parts by name', async () => {
    const form = new FormData();
    form.append('name', 'Pümp');
    form.append('tag', 'a');
    form.append('tag', 'b');
    form.append('photo', new Blob([bytes], { type: 'image/png' }), 'pümp.png');
    expect((await hook.post(form)).status).toBe(200);
    expect((await hook.received()).body).toEqual({ name: 'Pümp', tag: ['a', 'b'], photo: 'AP9B' });
    await hook.change({ annotateMultipart: true, castBuffersAs: 'hex' });
    expect((await hook.post(form)).status).toBe(200);
    expect((await hook.received()).body).toEqual({
      name: { value: 'Pümp' },
      tag: [{ value: 'a' }, { value: 'b' }],
      photo: { fileName: 'pümp.png', contentType: 'image/png', value: '00ff41' },
    });
  });

  const NAMES = ['a[b]', 'a[5]', 'a[]', 'a[999999999]', 'a[b][999999999]', '[6]', 'a.b', ' a ', 'a"b'];

  it('of a multipart form contains literal names', async () => {
    const form = new FormData();
    for (const name of NAMES) form.append(name, 'x');
    expect((await hook.post(form)).status).toBe(200);
    expect((await hook.received()).body).toEqual(Object.fromEntries(NAMES.map((name) => [name, 'x'])));
  });

  it('of a multipart form is encoded like any other, for arbitrary bytes', async () => {
    await hook.change({ castBuffersAs: 'binary' });
    const form = new FormData();
    form.append('photo', new Blob([bytes]), 'photo.png');
    expect((await hook.post(form)).status).toBe(200);
    expect((await hook.received()).body).toEqual({ photo: '\0\u00ffA' });
  });

  it('is rejected if it has more than a thousand parts', async () => {
    const form = (parts: number) => {
      const made = new FormData();
      for (let part = 0; part < parts; part++) made.append('a', '');
      return made;
    };
    expect((await hook.post(form(1_000))).status).toBe(200);
    expect((await hook.received()).body.a).toHaveLength(1_000);
    const [status, body] = await answerOf(await hook.post(form(1_001)));
    expect([status, body.type]).toEqual([413, 'PayloadTooLarge']);
  });

  it('is rejected if it has more than a thousand fields, before its signature is verified', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const fields = (count: number) => Array.from({ length: count }, (_, field) => `a${field}=1`).join('&');
    expect((await hook.post(fields(1_000), form)).status).toBe(200);
    expect(Object.keys((await hook.received()).body)).toHaveLength(1_000);
    expect((await hook.post(fields(1_001), form)).status).toBe(413);
    await hook.change({ verificationType: 'twilio', verificationCode: 'code' });
    expect((await hook.post(fields(1_001), form)).status).toBe(413);
    expect((await hook.post(fields(1_000), form)).status).toBe(401);
  });

  it.each([
    ['application/json', '{"a":'],
    ['application/json', '{"__proto__":{}}'],
    ['application/json', '"\\u0000"'],
    ['application/x-www-form-urlencoded', 'constructor=1'],
    ['multipart/form-data; boundary=x', '--x\r\nbroken'],
    ['multipart/form-data', '--x--'],
    [
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="__proto__"\r\n\r\n1\r\n--x--\r\n',
    ],
    [
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n\0\r\n--x--\r\n',
    ],
    ['multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data\r\n\r\n1\r\n--x--\r\n'],
  ])('of type %s is rejected if it is %s', async (type, text) => {
    const [status, body] = await answerOf(await hook.post(text, { 'content-type': type }));
    expect([status, body.type]).toEqual([400, 'Validation']);
    expect(await hook.runs()).toEqual([]);
  });

  it.each([
    ['in depth', `${'['.repeat(65)}${']'.repeat(65)}`],
    ['far too deep', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['in bytes', JSON.stringify('x'.repeat(256 * KIB - 1))],
  ])('returns 413 if it is too large %s', async (_, text) => {
    const [status, body] = await answerOf(await hook.post(text, { 'content-type': 'application/json' }));
    expect([status, body.type]).toEqual([413, 'PayloadTooLarge']);
    expect(await hook.runs()).toEqual([]);
  });

  it('can have at most 256 KiB, compressed and uncompressed', async () => {
    expect((await hook.post('x'.repeat(256 * KIB), { 'content-type': 'text/plain' })).status).toBe(200);
    const bomb = gzipSync('x'.repeat(4096 * KIB));
    const headers = { 'content-type': 'text/plain', 'content-encoding': 'gzip' };
    expect((await hook.post(bomb, headers)).status).toBe(413);
  });
});
