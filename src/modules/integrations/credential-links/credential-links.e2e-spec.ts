import { credentialOf } from '../../../../test/make/credentials.js';
import { makeFlow, makeVersion } from '../../../../test/make/flows.js';
import { blackBox } from '../../../../test/setup/black-box.js';

const { test, user, application } = blackBox();
let path: string;

beforeEach(() => {
  path = `/applications/${application.id}/credentials`;
});

const make = async (type: string, name: string) =>
  (await test.client.post(path, credentialOf(type, name), { token: user.token })).body;

describe('GET linked resources of a credential', () => {
  const naming = (credentialName: string) => ({
    nodes: [{ id: 'a', type: 'HttpNode', config: { auth: { credentialName } } }],
  });

  it('returns the workflows and versions whose nodes refer to the credential', async () => {
    const { id } = await make('loggly', 'Logs');
    const flow = await makeFlow(test, user.token, application.id, naming('Logs'));
    const other = await makeFlow(test, user.token, application.id, naming('Others'));
    const version = await makeVersion(test, user.token, other, naming('Logs'));
    const { status, body } = await test.client.get(`${path}/${id}/linkedResources`, { token: user.token });
    expect(status).toBe(200);
    expect(body.flows).toMatchObject({ items: [{ id: flow.id }], totalCount: 1 });
    expect(body.flowVersions).toMatchObject({ items: [{ id: version.id }], totalCount: 1 });
  });
});
