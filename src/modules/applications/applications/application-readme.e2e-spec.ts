import { makeApplication, uniqueName } from '../../../../test/make/make.js';
import { blackBox } from '../../../../test/setup/black-box.js';

describe('The readme of an application', () => {
  const { test, user } = blackBox();

  async function made() {
    const { id } = await makeApplication(test, user.token);
    const path = `/applications/${id}/readme`;
    return {
      user,
      id: id as string,
      read: () => test.client.get(path, { token: user.token }),
      write: (body: unknown, token = user.token) => test.client.patch(path, body, { token }),
    };
  }

  it('is empty until it is written', async () => {
    const { id, read } = await made();
    const { status, body } = await read();
    expect(status).toBe(200);
    expect(body).toEqual({ applicationId: id, content: '' });
  });

  it('records the user who wrote it and the time', async () => {
    const { user, id, read, write } = await made();
    const { status, body } = await write({ content: '# Pump "station" 😀\n\n\\' });
    expect(status).toBe(200);
    expect(body).toEqual({
      applicationId: id,
      content: '# Pump "station" 😀\n\n\\',
      lastUpdated: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      lastUpdatedById: user.id,
      lastUpdatedByType: 'user',
    });
    expect((await read()).body).toEqual(body);
  });

  it('records an API token as its author', async () => {
    const { user, write } = await made();
    const token = await test.client.post(
      '/me/tokens',
      { name: uniqueName(), scope: ['application.patch'] },
      { token: user.token },
    );
    const { body } = await write({ content: 'by a program' }, token.body.token);
    expect(body).toMatchObject({ lastUpdatedById: token.body.id, lastUpdatedByType: 'apiToken' });
  });

  it('is replaced or emptied, and kept if no content is given', async () => {
    const { read, write } = await made();
    await write({ content: 'one' });
    expect((await write({ content: 'two' })).body.content).toBe('two');
    expect((await write({})).body.content).toBe('two');
    expect((await write({ content: '' })).body.content).toBe('');
    expect((await read()).body.content).toBe('');
  });

  it('has at most 131,072 characters', async () => {
    const { read, write } = await made();
    for (const content of ['x'.repeat(131_072), 'é'.repeat(131_072)]) {
      expect((await write({ content })).status).toBe(200);
      expect((await read()).body.content).toBe(content);
    }
    const { status, body } = await write({ content: 'x'.repeat(131_073) });
    expect(status).toBe(400);
    expect(body.message).toBe('readme.content must have at most 131072 characters');
  });

  it.each<[string, unknown]>([
    ['readme.content', { content: null }],
    ['readme.content', { content: 5 }],
    ['readme.lastUpdatedById', { content: 'x', lastUpdatedById: 'x' }],
    ['readme', []],
    ['readme', undefined],
  ])('rejects %s in %j and remains unchanged', async (at, content) => {
    const { read, write } = await made();
    const before = (await write({ content: 'kept' })).body;
    const { status, body } = await write(content);
    expect(status).toBe(400);
    expect(body.message.startsWith(`${at} `)).toBe(true);
    expect((await read()).body).toEqual(before);
  });

  it('is not included in the application itself', async () => {
    const { user, id, write } = await made();
    await write({ content: 'apart' });
    const { body } = await test.client.get(`/applications/${id}`, { token: user.token });
    expect(JSON.stringify(body)).not.toContain('apart');
  });
});
