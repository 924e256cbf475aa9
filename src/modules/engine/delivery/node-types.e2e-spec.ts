import jwt from 'jsonwebtoken';
import { createVerify } from 'node:crypto';
import { credentialOf, pem } from '../../../../test/make/credentials.js';
import { instanceWithNodes } from '../../../../test/make/custom-nodes.js';
import { makeFlow } from '../../../../test/make/flows.js';
import { makeApplication, makeUser } from '../../../../test/make/make.js';
import { ranNode, type Outcome } from '../../../../test/make/node-runner.js';
import { suite } from '../../../../test/setup/suite.js';
import { waitUntil } from '../../../../test/setup/until.js';
import { sha256 } from '../../../lib/crypto/hashes.js';
import { RateLimits } from '../../../platform/throttle/rate-limits.js';

const { test, user, application } = suite({ PROCESS_ROLE: 'api,worker,engine' }, { database: 'own' });

/** Runs a workflow of one node that writes to `r`, in the application of the test or in another one. */
const ran = (
  type: string,
  config: object,
  payload: unknown = {},
  place: { token: string; id: string } = { token: user.token, id: application.id },
  meta: object = {},
): Promise<Outcome> => ranNode(test, place, { type, config, meta }, payload);

describe('A node that a run executes', () => {
  it('HtmlParserNode finds elements', async () => {
    const config = { documentPath: 'data.html', selectorTemplate: 'p', resultFormatTemplate: 'xml' };
    expect(await ran('HtmlParserNode', config, { html: '<p>a<p>b' })).toEqual({
      r: ['<p>a</p>', '<p>b</p>'],
    });
    expect((await ran('HtmlParserNode', config)).error).toEqual({
      name: 'ValidationError',
      message: 'documentPath must be the path of a text',
    });
  });

  it('CryptoSignNode signs with a credential, and CryptoVerifyNode verifies', async () => {
    const path = `/applications/${application.id}/credentials`;
    const body = { ...credentialOf('certificateKeyPair'), name: 'c' };
    expect((await test.client.post(path, body, { token: user.token })).status).toBe(201);
    const config = { credentialNameTemplate: 'c', dataTemplate: 'abc' };
    const { r } = await ran('CryptoSignNode', config);
    expect(createVerify('sha256').update('abc').verify(pem('idp-cert'), r.signature, 'base64')).toBe(true);
    expect(
      await ran('CryptoVerifyNode', { ...config, signatureTemplate: `{{{data.signature}}}` }, r),
    ).toEqual({ output: 1 });
  });

  it('CustomNodeExecuteNode executes a custom node of the instance as the calling workflow', async () => {
    const { id: instanceId, made, patch } = await instanceWithNodes(test);
    const owner = await makeUser(test, { instanceId });
    const place = { token: owner.token, id: (await makeApplication(test, owner.token)).id };
    const fields = [{ id: 'n', type: 'numberTemplate', label: 'N', required: true }];
    const event = { levelTemplate: 'info', subjectTemplate: '{{data.n}} {{flowName}}', resultPath: 'e' };
    const cap = (resultSourcePath: string) => ({
      id: 'end',
      type: 'CustomNodeCapNode',
      config: { resultSourcePath, branchIndexTemplate: 1 },
    });
    const make = { id: 'make', type: 'CreateEventNode', config: event, outputIds: [['end']] };
    const node = await made({
      triggers: [{ type: 'customNodeStart', outputIds: [['make']] }],
      nodes: [make, cap('e')],
      customNodeConfig: { outputCount: 2, resultMode: 'optional', fields },
    });
    const config = { customNodeId: node.id, isInstance: true, fields: [{ id: 'n', value: '{{data}}' }] };
    const { r, output } = await ran('CustomNodeExecuteNode', config, 5, place);
    expect(r).toMatchObject({
      subject: '5 Average',
      sourceType: 'flow',
      applicationId: place.id,
      sourceId: expect.not.stringMatching(node.id),
    });
    expect(output).toBe(1);
    await patch(node.id, { nodes: [make, cap('data.n')] });
    const again = await ran('CustomNodeExecuteNode', { ...config, customNodeVersion: 'develop' }, 6, place);
    expect(again).toEqual({ r: 6, output: 1 });
    const missing = async (more: object, as = place) =>
      (await ran('CustomNodeExecuteNode', { ...config, ...more }, 5, as)).error.name;
    expect(await missing({ customNodeVersion: '1' })).toBe('NotFound');
    expect(await missing({ isInstance: false })).toBe('NotFound');
    expect(await missing({}, { token: user.token, id: application.id })).toBe('NotFound');
    expect(await missing({ fields: [] })).toBe('ValidationError');
  });

  it('schedules the next run of its workflow, and cancels it', async () => {
    const { id } = await makeFlow(test, user.token, application.id);
    const button = {
      triggerWorkflowId: id,
      triggerVirtualButtonId: 'go',
      behavior: 'schedule',
      resultPath: 'r',
    };
    const soon = { ...button, secondsTemplate: '0.1', payloadTemplate: '{"n":{{add data.n 1}}}' };
    const late = { ...button, secondsTemplate: '3600', runIdTemplate: 'late', payloadTemplate: '{"n":99}' };
    const trigger = (id: string, config: object, to: string) => ({
      id,
      type: 'WorkflowTriggerNode',
      config,
      outputIds: [[to]],
    });
    const last = { keyName: 'last', valueType: 'json', value: '{"n":{{data.n}},"cancelled":"{{r.runId}}"}' };
    const isFirst = { expression: '{{data.n}} < 3' };
    const body = {
      triggers: [{ type: 'virtualButton', key: 'go', outputIds: [['isFirst']] }],
      nodes: [
        { id: 'isFirst', type: 'ConditionalNode', config: isFirst, outputIds: [['cancel'], ['late']] },
        trigger('late', late, 'soon'),
        trigger('soon', soon, 'keep'),
        trigger('cancel', { ...button, behavior: 'cancel', runIdTemplate: 'late' }, 'keep'),
        { id: 'keep', type: 'StoreValueNode', config: last, outputIds: [] },
      ],
    };
    const path = `/applications/${application.id}/flows/${id}`;
    const { token } = user;
    expect((await test.client.patch(path, body, { token })).status).toBe(200);
    await test.client.post(`${path}/virtualButton`, { key: 'go', payload: { n: 0 } }, { token });
    const stored = async () => (await test.client.get(`${path}/storage`, { token })).body;
    await waitUntil(async () => (await stored()).last?.n === 3);
    expect(await stored()).toEqual({ last: { n: 3, cancelled: 'late' } });
    expect(await test.dataSource.query('SELECT FROM scheduled_presses')).toEqual([]);
  });

  describe('on an experience user', () => {
    const email = 'ada@example.com';
    const password = 'Correct-Horse-7';
    let path: string;
    const auth = async (config: object, payload: object = {}, authMode = 'emailPassword') => {
      const templates = {
        emailTemplate: '{{data.e}}',
        passwordTemplate: '{{{data.p}}}',
        tokenTemplate: '{{data.t}}',
      };
      const paths = { userResultPath: 'r.user', tokenResultPath: 'r.token' };
      return ran('ExperienceUserAuthNode', { ...templates, ...paths, ...config }, payload, undefined, {
        authMode,
      });
    };
    const token = async (config: object = {}) =>
      (await ran('ExperienceUserTokenNode', { emailOrIdTemplate: email, ...config })).r;
    const show = async () => (await test.client.get(path, { token: user.token })).body;

    beforeEach(async () => {
      const users = `/applications/${application.id}/experience/users`;
      const { body } = await test.client.post(users, { email, password }, { token: user.token });
      path = `${users}/${body.id}`;
    });

    it('ExperienceUserAuthNode signs in by password', async () => {
      const { r, output } = await auth({ ttlTemplate: '60000' }, { e: ' Ada@Example.com', p: password });
      expect(output).toBe(1);
      const shown = await show();
      expect(r.user).toEqual(shown);
      expect(shown.lastLogin).toEqual(expect.any(String));
      expect(shown.lastUpdated).toBe(shown.creationDate);
      const { exp, iat, ...claims } = jwt.decode(r.token) as any;
      expect(Math.round((exp - iat) * 1000)).toBe(60_000);
      expect(claims).toEqual({ sub: shown.id, aud: application.id, iss: 'fieldwright-experience' });
      const answer = await test.client.get('/me', { token: r.token });
      expect(answer.status).toBe(401);
    });

    it.each([
      { e: email, p: 'wrong' },
      { e: 'bob@example.com', p: password },
      { e: email, p: '' },
      { p: password },
      { e: email, p: 'x'.repeat(2049) },
    ])('ExperienceUserAuthNode refuses wrong credentials: case %#', async (payload) => {
      expect(await auth({}, payload)).toEqual({});
      expect(await show()).not.toHaveProperty('lastLogin');
    });

    it('ExperienceUserAuthNode refuses the right password for a while after many wrong ones', async () => {
      const limits = test.app.get(RateLimits);
      const limit = (name: string) =>
        limits.limit(`experience-sign-in:${name}`, { points: 1, duration: 3600 });
      const key = sha256(`${application.id} ${email}`);
      // After 100 failures, an attempt is followed by a pause of a second, and after 110 by one of a minute.
      await limit('failures').add(key, 110);
      expect(await auth({}, { e: email, p: 'wrong' })).toEqual({});
      expect(await auth({}, { e: ` ${email.toUpperCase()}`, p: password })).toEqual({});
      await limit('pause').reset(key);
      expect((await auth({}, { e: email, p: password })).output).toBe(1);
    });

    it('ExperienceUserAuthNode signs in by token', async () => {
      const t = await token({ extraDataJsonTemplate: '{"a":1}' });
      expect((jwt.decode(t) as any).extraData).toEqual({ a: 1 });
      expect((await auth({ tokenResultPath: '' }, { t }, 'token')).r).toEqual({ user: await show() });
      expect((await auth({}, { t, e: email }, 'tokenEmail')).output).toBe(1);
      expect((await auth({}, { t, e: email }, 'tokenEmailPassword')).output).toBe(1);
      expect((await auth({}, { e: email, p: password }, 'tokenEmailPassword')).output).toBe(1);
      expect(await auth({}, { t, e: 'bob@example.com' }, 'tokenEmail')).toEqual({});
      for (const other of ['', 'x', user.token, `${t}x`, await token({ ttlTemplate: '1' })])
        expect(await auth({}, { t: other }, 'token')).toEqual({});
    });

    it('a token is invalid after a later cutoff, and in other applications', async () => {
      const t = await token();
      const place = { token: user.token, id: (await makeApplication(test, user.token)).id };
      const config = { tokenTemplate: '{{data.t}}', userResultPath: 'r' };
      const there = await ran('ExperienceUserAuthNode', config, { t }, place, { authMode: 'token' });
      expect(there).toEqual({});
      const newer = await token({ invalidateExistingTokens: true });
      expect(await auth({}, { t }, 'token')).toEqual({});
      expect((await auth({}, { t: newer }, 'token')).output).toBe(1);
      const cutoff = { expUserTokenCutoff: new Date(Date.now() + 1000).toISOString() };
      await test.client.patch(`/applications/${application.id}`, cutoff, { token: user.token });
      expect(await auth({}, { t: newer }, 'token')).toEqual({});
    });

    it('ExperienceUserTokenNode records a login only if asked, and writes null without a user', async () => {
      await token();
      expect(await show()).not.toHaveProperty('lastLogin');
      await token({ treatAsLogin: true });
      expect((await show()).lastLogin).toEqual(expect.any(String));
      expect(await token({ emailOrIdTemplate: 'bob@example.com' })).toBeNull();
    });

    it.each([
      [{ emailOrIdTemplate: '' }, 'emailOrIdTemplate is required'],
      [{ ttlTemplate: 'x' }, 'ttlTemplate must be a number from 1 to 315360000000'],
      [{ extraDataJsonTemplate: '{' }, 'extraDataJsonTemplate is not JSON'],
      [{ extraDataJsonTemplate: `"${'x'.repeat(16_384)}"` }, 'extraDataJsonTemplate must have at most 16384'],
    ])('ExperienceUserTokenNode fails the run for invalid settings: case %#', async (config, message) => {
      const { error } = await ran('ExperienceUserTokenNode', { emailOrIdTemplate: email, ...config });
      expect(error).toEqual({ name: 'ValidationError', message: expect.stringContaining(message) });
    });
  });

  describe('on values of two devices', () => {
    const HOUR = 3_600_000;
    const start = (Math.floor(Date.now() / HOUR) - 48) * HOUR;
    const at = (hours: number) => new Date(start + hours * HOUR).toISOString();
    let ids: string[];

    beforeEach(async () => {
      const options = { token: user.token };
      const attributes = [
        { name: 't', dataType: 'number' },
        { name: 's', dataType: 'string' },
      ];
      const reports = [
        [1, 3, 2],
        [10, 20],
      ];
      ids = [];
      for (const values of reports) {
        const device = { name: `d${values.length}`, attributes, tags: [{ key: 'k', value: 'v' }] };
        const { body } = await test.client.post(`/applications/${application.id}/devices`, device, options);
        ids.push(body.id);
        const states = values.map((t, i) => ({ time: at(i), data: { t, s: `${t}` } }));
        await test.client.post(`/applications/${application.id}/devices/${body.id}/state`, states, options);
      }
    });

    const gauge = async (config: object) =>
      ran(
        'GaugeNode',
        { findMethod: 'payloadPath', deviceIdsPath: 'data', attribute: ['t'], ...config },
        ids,
      );
    const RANGE = { duration: 24 * HOUR, end: at(24) };

    it('GaugeNode reads the last value', async () => {
      const one = { findMethod: 'tagsIds', deviceIdsPath: '', deviceIds: [ids[0]] };
      expect(await gauge(one)).toEqual({ r: { time: at(2), value: 2 } });
      expect(await gauge({ attribute: 's' })).toEqual({ r: { time: at(2), value: '2' } });
      expect(await gauge({ aggregation: 'SUM', duration: null })).toEqual({ r: { time: at(2), value: 22 } });
      expect(await gauge({ perDeviceResults: true, attribute: ['t', 's', 'none'] })).toEqual({
        r: {
          [ids[0]!]: { t: { time: at(2), value: 2 }, s: { time: at(2), value: '2' } },
          [ids[1]!]: { t: { time: at(1), value: 20 }, s: { time: at(1), value: '20' } },
        },
      });
      expect(await gauge({ findMethod: 'query', queryTemplate: '{"$nor":[]}' })).toEqual({ r: {} });
      expect(await gauge({ deviceIdsPath: 'none' })).toEqual({ r: {} });
    });

    it.each([
      ['FIRST', 1],
      ['LAST', 2],
      ['COUNT', 5],
      ['MAX', 20],
      ['MIN', 1],
      ['MEDIAN', 3],
      ['MEAN', 36 / 5],
      ['SUM', 36],
    ])('GaugeNode aggregates over both devices by %s', async (aggregation, value) => {
      const tags = { findMethod: 'tags', deviceIdsPath: '', deviceTags: [{ key: 'k', value: 'v' }] };
      expect(await gauge({ ...RANGE, ...tags, aggregation })).toEqual({ r: { time: at(0), value } });
    });

    it('GaugeNode aggregates each device', async () => {
      expect(await gauge({ ...RANGE, aggregation: 'MEAN', perDeviceResults: true })).toEqual({
        r: { [ids[0]!]: { time: at(0), value: 2 }, [ids[1]!]: { time: at(0), value: 15 } },
      });
      const { r } = await gauge({ ...RANGE, aggregation: 'STD_DEV' });
      expect(r.value).toBeCloseTo(7.1386, 4);
      const option = [{ keyTemplate: 'value', valueTemplate: '20' }];
      const time = await gauge({ ...RANGE, aggregation: 'TIMEATVALUE', aggregationOptions: option });
      expect(time).toEqual({ r: { time: at(0), value: 23 * HOUR } });
    });

    it('TimeSeriesNode reads steps', async () => {
      const series = async (config: object) =>
        ran('TimeSeriesNode', { deviceIdsPath: 'data', attribute: ['t'], ...RANGE, ...config }, ids);
      const hourly = { resolution: `${HOUR}`, aggregation: 'MAX' };
      const both = [
        { time: at(0), value: 10 },
        { time: at(1), value: 20 },
        { time: at(2), value: 2 },
      ];
      expect(await series(hourly)).toEqual({ r: both });
      expect(await series({ ...hourly, orderTemplate: 'desc' })).toEqual({ r: both.reverse() });
      expect((await series({ ...hourly, aggregation: 'MEDIAN' })).r[0]).toEqual({ time: at(0), value: 5.5 });
      const { r } = await series({ ...hourly, perDeviceResults: true });
      expect(r[ids[1]!]).toEqual([
        { time: at(0), value: 10 },
        { time: at(1), value: 20 },
      ]);
      expect(await series({ aggregation: 'NONE', limitTemplate: '2' })).toEqual({
        r: {
          start: at(0),
          end: at(24),
          aggregation: 'NONE',
          limit: 2,
          devices: {
            [ids[0]!]: {
              name: 'd3',
              tags: { k: ['v'] },
              points: [
                { time: at(0), data: { t: 1 } },
                { time: at(1), data: { t: 3 } },
              ],
              limitExceeded: true,
            },
            [ids[1]!]: expect.objectContaining({ points: expect.any(Array) }),
          },
        },
      });
    });

    it('fails, or writes its error', async () => {
      const config = { findMethod: 'query', queryTemplate: '{"none":1}' };
      const { error } = await gauge(config);
      expect(error).toMatchObject({ name: 'ValidationError' });
      expect(await gauge({ ...config, errorBehavior: 'payloadPath', errorPath: 'r' })).toEqual({ r: error });
      expect((await gauge({ ...RANGE, aggregation: 'MODE' })).error.message).toMatch(
        /^aggregation must be one of/,
      );
      expect((await gauge({ attribute: [] })).error.message).toBe('attribute is required');
      expect((await gauge({ end: 'x' })).error.message).toBe('end must be a time');
    });
  });
});
