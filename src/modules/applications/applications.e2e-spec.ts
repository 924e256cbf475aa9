import { startApp, type TestApp } from '../../../test/app.js';
import { makeApplication, makeUser } from '../../../test/make.js';

describe('applications', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await startApp();
  });
  afterAll(() => test.close());

  it('are listed for their owner', async () => {
    const { token } = await makeUser(test);
    const application = await makeApplication(test, token);
    const { status, body } = await test.client.get('/applications', { token });
    expect(status).toBe(200);
    expect(body.items).toEqual([application]);
  });
});
