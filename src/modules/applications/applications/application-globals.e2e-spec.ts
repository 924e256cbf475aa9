import { makeApplication } from '../../../../test/make/make.js';
import { blackBox } from '../../../../test/setup/black-box.js';

describe('Globals of an application', () => {
  const { test, user } = blackBox();

  const change = (id: string, body: unknown, token: string) =>
    test.client.patch(`/applications/${id}/globals`, body, { token });

  const A = { key: 'a', json: '1', description: 'First', cloudOnly: true };
  const B = { key: 'b', json: '{"x":[2]}' };

  async function withGlobals(globals: object[] = [A, B]) {
    const { token } = user;
    const application = await makeApplication(test, token, { globals });
    const current = async () => (await test.client.get(`/applications/${application.id}`, { token })).body;
    return { id: application.id as string, token, application, current };
  }

  /** The order of globals is not significant. */
  const byKey = (globals: { key: string }[]) => globals.toSorted((a, b) => (a.key < b.key ? -1 : 1));

  it.each<[string, object[], object[]]>([
    ['adds one', [{ key: 'c', json: '"new"' }], [A, B, { key: 'c', json: '"new"' }]],
    ['changes a value and keeps its description', [{ key: 'a', json: '2' }], [{ ...A, json: '2' }, B]],
    [
      'changes a description and keeps its value',
      [{ key: 'b', description: 'd' }],
      [A, { ...B, description: 'd' }],
    ],
    ['changes a flag alone', [{ key: 'a', cloudOnly: false }], [{ ...A, cloudOnly: false }, B]],
    ['removes one', [{ key: 'a', json: null }], [B]],
    ['removes one, whatever else is said of it', [{ key: 'a', json: null, description: 'gone' }], [B]],
    ['removes what is not there', [{ key: 'z', json: null }], [A, B]],
    ['stores JSON that is null', [{ key: 'a', json: 'null' }], [{ ...A, json: 'null' }, B]],
    [
      'does several things at once',
      [
        { key: 'a', json: null },
        { key: 'b', json: '0' },
        { key: 'c', json: '[]' },
      ],
      [
        { ...B, json: '0' },
        { key: 'c', json: '[]' },
      ],
    ],
    ['leaves a known one that is only named', [{ key: 'a' }], [A, B]],
    ['does nothing with an empty list', [], [A, B]],
  ])('%s', async (_, changes, expected) => {
    const { id, token, application, current } = await withGlobals();
    const { status, body } = await change(id, changes, token);
    expect(status).toBe(200);
    expect(byKey(body.globals)).toEqual(byKey(expected as { key: string }[]));
    expect(body).toEqual({ ...application, globals: body.globals, lastUpdated: body.lastUpdated });
    expect(body.lastUpdated >= application.lastUpdated).toBe(true);
    expect(await current()).toEqual(body);
  });

  it('can be added to an application without any, and removed completely', async () => {
    const { token } = user;
    const { id } = await makeApplication(test, token);
    expect((await change(id, [B], token)).body.globals).toEqual([B]);
    expect((await change(id, [{ key: 'b', json: null }], token)).body.globals).toEqual([]);
  });

  it.each<[string, string, unknown]>([
    ['a new one without a value', 'globals.1.json', [{ key: 'a', json: '5' }, { key: 'new' }]],
    [
      'what is no JSON',
      'globals.1.json',
      [
        { key: 'a', json: '5' },
        { key: 'b', json: '{' },
      ],
    ],
    ['empty text', 'globals.0.json', [{ key: 'a', json: '' }]],
    ['a value that is no text', 'globals.0.json', [{ key: 'a', json: { x: 1 } }]],
    ['a value that is too long', 'globals.0.json', [{ key: 'a', json: `"${'x'.repeat(32766)}"` }]],
    ['an odd key', 'globals.0.key', [{ key: 'a.b', json: '1' }]],
    ['no key', 'globals.0.key', [{ json: '1' }]],
    [
      'a key twice',
      'globals.1.key',
      [
        { key: 'a', json: '5' },
        { key: 'a', json: '6' },
      ],
    ],
    [
      'an unknown member',
      'globals.1.color',
      [
        { key: 'a', json: '5' },
        { key: 'b', color: 'red' },
      ],
    ],
    ['a description of null', 'globals.0.description', [{ key: 'a', description: null }]],
    ['a flag of text', 'globals.0.cloudOnly', [{ key: 'a', cloudOnly: 'true' }]],
    ['an object', 'globals', { key: 'a', json: '5' }],
    ['nothing', 'globals', undefined],
    ['101 changes', 'globals', Array.from({ length: 101 }, (_, i) => ({ key: `k${i}`, json: '1' }))],
    [
      'more than 100 in the end',
      'globals',
      Array.from({ length: 99 }, (_, i) => ({ key: `k${i}`, json: '1' })),
    ],
  ])('reject %s and remain unchanged', async (_, at, changes) => {
    const { id, token, application, current } = await withGlobals();
    const { status, body } = await change(id, changes, token);
    expect(status).toBe(400);
    expect(body.type).toBe('Validation');
    expect(body.message.startsWith(`${at} `)).toBe(true);
    expect(await current()).toEqual(application);
  });

  it('can number up to 100', async () => {
    const { id, token } = await withGlobals();
    const more = Array.from({ length: 98 }, (_, i) => ({ key: `k${i}`, json: '1' }));
    expect((await change(id, more, token)).body.globals).toHaveLength(100);
    const swapped = await change(
      id,
      [
        { key: 'a', json: null },
        { key: 'new', json: '1' },
      ],
      token,
    );
    expect(swapped.body.globals).toHaveLength(100);
    expect((await change(id, [{ key: 'a', json: '1' }], token)).status).toBe(400);
  });

  it('are all kept when 30 with different keys are added concurrently', async () => {
    const { id, token, current } = await withGlobals();
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) => change(id, [{ key: `k${i}`, json: String(i) }], token)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const { globals } = await current();
    expect(globals).toHaveLength(32);
    for (let i = 0; i < 30; i++) expect(globals).toContainEqual({ key: `k${i}`, json: String(i) });
  });

  it('never exceed 100 when more are added concurrently', async () => {
    const { id, token, current } = await withGlobals(
      Array.from({ length: 95 }, (_, i) => ({ key: `k${i}`, json: '1' })),
    );
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => change(id, [{ key: `new${i}`, json: '1' }], token)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect((await current()).globals).toHaveLength(100);
  });
});
