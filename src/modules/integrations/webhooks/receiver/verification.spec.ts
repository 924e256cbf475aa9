import { createHmac } from 'node:crypto';
import { assertBasicAuth, verify, type Evidence } from './verification.js';

type Type = Parameters<typeof verify>[0]['verificationType'];

const evidence = (more: Partial<Evidence> & { text?: string } = {}): Evidence => ({
  method: 'POST',
  url: 'https://hooks.example/webhooks/t',
  headers: {},
  query: {},
  body: Buffer.from(more.text ?? ''),
  ...more,
});
const verifying = (verificationType: Type, verificationCode: string | undefined, of: Evidence) => () =>
  verify({ verificationType, verificationCode }, of);
const status = (code: number) => expect.objectContaining({ status: code });
const hmac = (algorithm: string, key: string, text: string, encoding: 'hex' | 'base64') =>
  createHmac(algorithm, key).update(text).digest(encoding);

it('accepts every request without verification', () => {
  expect(verifying('none', undefined, evidence())()).toBeUndefined();
  expect(verifying('none', 'code', evidence({ text: 'x' }))()).toBeUndefined();
});

it.each<Type>(['facebook', 'fitbit', 'twilio', 'alexa'])(
  'rejects every %s request without a code',
  (type) => {
    const unsigned = { 'x-hub-signature-256': `sha256=${hmac('sha256', '', '{}', 'hex')}` };
    for (const code of [undefined, ''])
      expect(verifying(type, code, evidence({ text: '{}', headers: unsigned }))).toThrow(status(401));
  },
);

describe('Facebook', () => {
  const text = '{"entry":[]}';
  const posted = (headers: Evidence['headers']) => verifying('facebook', 'code', evidence({ text, headers }));
  const asked = (query: Evidence['query']) =>
    verifying('facebook', 'code', evidence({ method: 'GET', query }));

  it('receives its challenge if it sends the code', () => {
    const query = { 'hub.mode': 'subscribe', 'hub.verify_token': 'code', 'hub.challenge': '1158201444' };
    expect(asked(query)()).toEqual({ status: 200, body: '1158201444' });
    expect(asked({ ...query, 'hub.verify_token': 'other' })).toThrow(status(401));
    expect(asked({ ...query, 'hub.verify_token': ['code'] })).toThrow(status(401));
    expect(asked({ 'hub.verify_token': 'code' })).toThrow(status(401));
    expect(asked({})).toThrow(status(401));
  });

  it('signs its POST requests', () => {
    const [good, old] = [hmac('sha256', 'code', text, 'hex'), hmac('sha1', 'code', text, 'hex')];
    expect(posted({ 'x-hub-signature-256': `sha256=${good}` })()).toBeUndefined();
    expect(posted({ 'x-hub-signature': `sha1=${old}` })()).toBeUndefined();
    expect(posted({})).toThrow(status(401));
    expect(posted({ 'x-hub-signature-256': good })).toThrow(status(401));
    expect(posted({ 'x-hub-signature-256': 'sha256=0', 'x-hub-signature': `sha1=${old}` })).toThrow(
      status(401),
    );
    const other = hmac('sha256', 'other', text, 'hex');
    expect(posted({ 'x-hub-signature-256': `sha256=${other}` })).toThrow(status(401));
  });
});

describe('Fitbit', () => {
  it('verifies its code', () => {
    const asked = (code: unknown) =>
      verifying('fitbit', 'code', evidence({ method: 'GET', query: { verify: code } }));
    expect(asked('code')()).toEqual({ status: 204 });
    expect(asked('wrong')).toThrow(status(404));
    expect(asked(['code'])).toThrow(status(404));
  });

  it('signs its POST requests', () => {
    const text = '[{"collectionType":"foods"}]';
    const posted = (signature?: string) =>
      verifying('fitbit', 'code', evidence({ text, headers: { 'x-fitbit-signature': signature } }));
    expect(posted(hmac('sha1', 'code&', text, 'base64'))()).toBeUndefined();
    expect(posted(hmac('sha1', 'code', text, 'base64'))).toThrow(status(401));
    expect(posted()).toThrow(status(401));
  });
});

describe('Twilio', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' };
  const url = 'https://mycompany.com/myapp.php?foo=1&bar=2';
  const call = new URLSearchParams({
    CallSid: 'CA1234567890ABCDE',
    To: '+18005551212',
    Caller: '+14158675309',
    Digits: '1234',
    From: '+14158675309',
  }).toString();
  // Example from Twilio's documentation, like the request.
  const signature = 'RSOYDt4T1cUTdK1PDd93/VVr8B8=';
  const posted = (more: Partial<Evidence> & { text?: string; signature?: string }, code = '12345') => {
    const headers = { ...form, 'x-twilio-signature': more.signature ?? signature, ...more.headers };
    return verifying('twilio', code, evidence({ url, text: call, ...more, headers }));
  };

  it('signs the URL and the fields', () => {
    expect(posted({})()).toBeUndefined();
    expect(posted({}, 'other')).toThrow(status(401));
    expect(posted({ url: `${url}&more=1` })).toThrow(status(401));
    expect(posted({ text: `${call}&Body=x` })).toThrow(status(401));
    expect(posted({ signature: '' })).toThrow(status(401));
  });

  it('signs the URL and the hash of a body that is not a form', () => {
    const text = '{"a":1}';
    const bodySHA256 = '015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862';
    const signed = `https://hooks.example/t?bodySHA256=${bodySHA256}`;
    const headers = { 'content-type': 'application/json' };
    const request = {
      text,
      headers,
      url: signed,
      query: { bodySHA256 },
      signature: hmac('sha1', '12345', signed, 'base64'),
    };
    expect(posted(request)()).toBeUndefined();
    expect(posted({ ...request, text: '{"a":2}' })).toThrow(status(401));
    expect(posted({ ...request, query: {} })).toThrow(status(401));
  });
});

describe('Alexa', () => {
  const said = (id: unknown, age: number) => ({
    session: { application: { applicationId: id } },
    request: { timestamp: new Date(Date.now() - age).toISOString() },
  });
  const posted = (body: unknown) =>
    verifying(
      'alexa',
      'amzn1.skill',
      evidence({ text: typeof body === 'string' ? body : JSON.stringify(body) }),
    );

  it('sends the skill and a current time', () => {
    expect(posted(said('amzn1.skill', 140_000))()).toBeUndefined();
    expect(posted(said('amzn1.skill', -140_000))()).toBeUndefined();
    const { session, request } = said('amzn1.skill', 0);
    expect(posted({ context: { System: session }, request })()).toBeUndefined();
  });

  it.each([
    [said('amzn1.skill', 160_000)],
    [said('amzn1.skill', -160_000)],
    [said('amzn1.other', 0)],
    [said(undefined, 0)],
    [{ session: { application: { applicationId: 'amzn1.skill' } } }],
    [{ ...said('amzn1.skill', 0), request: { timestamp: 'today' } }],
    ['null'],
    ['[]'],
    ['1'],
    ['{'],
    [''],
  ])('is rejected with %j', (body) => {
    expect(posted(body)).toThrow(status(400));
  });
});

describe('Basic authentication', () => {
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
  const demanding = (header: string | undefined, user: string, password: string) => () =>
    assertBasicAuth(header, user, password);

  it('accepts the user and password', () => {
    expect(demanding(basic('ada:pässword:7'), 'ada', 'pässword:7')).not.toThrow();
    expect(demanding(basic('ada:x').replace('Basic', 'basic'), 'ada', 'x')).not.toThrow();
    expect(demanding(basic('ada:'), 'ada', '')).not.toThrow();
    expect(demanding(basic(':x'), '', 'x')).not.toThrow();
  });

  it.each([
    undefined,
    '',
    'Basic',
    basic('ada:y'),
    basic('ada'),
    basic('eve:x'),
    basic(':x'),
    'Bearer ada:x',
  ])('rejects %s', (header) => {
    expect(demanding(header, 'ada', 'x')).toThrow(status(401));
  });

  it('requires an empty user or password if it is not set', () => {
    expect(demanding(basic('ada:x'), 'ada', '')).toThrow(status(401));
    expect(demanding(basic('ada:x'), '', 'x')).toThrow(status(401));
  });
});
