import { credentialOf, pem } from '../../../../test/make/credentials.js';
import { suite } from '../../../../test/setup/suite.js';
import { SecretBox } from '../../../lib/crypto/secrets.js';

const { test, user, application } = suite();
let path: string;

beforeEach(() => {
  path = `/applications/${application.id}/credentials`;
});

const make = async (type: string, name = type) =>
  (await test.client.post(path, credentialOf(type, name), { token: user.token })).body;
const patch = (id: string, body: object) => test.client.patch(`${path}/${id}`, body, { token: user.token });

/** Decrypts the secrets of the row. */
async function secretsOf(id: string): Promise<unknown> {
  const [row] = await test.dataSource.query('SELECT secrets_sealed FROM credentials WHERE id = $1', [id]);
  return JSON.parse(test.app.get(SecretBox).open(row.secrets_sealed, `credentials:secrets_sealed:${id}`));
}

describe('PATCH of a credential', () => {
  it('keeps omitted secrets and all other omitted properties', async () => {
    const made = await make('git');
    const { status, body } = await patch(made.id, { gitConfig: { committerName: 'North Field' } });
    expect(status).toBe(200);
    const gitConfig = { ...made.gitConfig, committerName: 'North Field' };
    expect(body).toEqual({ ...made, gitConfig, lastUpdated: expect.any(String) });
    expect(await secretsOf(made.id)).toEqual({ secretValue: 'hidden-git' });
    await patch(made.id, { gitConfig: { secretValue: 'other' } });
    expect(await secretsOf(made.id)).toEqual({ secretValue: 'other' });
  });

  it('removes what is null', async () => {
    const made = await make('sql');
    const { body } = await patch(made.id, { sqlConfig: { port: null, password: 'again' } });
    const { port: _, ...sqlConfig } = made.sqlConfig;
    expect(body.sqlConfig).toEqual(sqlConfig);
  });

  it('requires the secret again when it would be sent to another server', async () => {
    const made = await make('git');
    const cloneUrl = 'https://elsewhere.example.com/f.git';
    const { status, body } = await patch(made.id, { gitConfig: { cloneUrl } });
    expect([status, body.message]).toEqual([
      400,
      'credential.gitConfig.secretValue is required when cloneUrl changes',
    ]);
    const given = await patch(made.id, { gitConfig: { cloneUrl, secretValue: 'other' } });
    expect([given.status, given.body.gitConfig.cloneUrl]).toEqual([200, cloneUrl]);
  });

  it('updates properties outside of the configuration', async () => {
    const made = await make('loggly');
    const { body } = await patch(made.id, { name: 'b', enabled: false });
    expect(body).toEqual({ ...made, name: 'b', enabled: false, lastUpdated: expect.any(String) });
    expect(await secretsOf(made.id)).toEqual({ customerToken: 'hidden-loggly' });
  });

  it('applies both of two concurrent updates', async () => {
    const made = await make('jwt');
    await Promise.all([
      patch(made.id, { jwtConfig: { algorithm: 'HS512' } }),
      patch(made.id, { jwtConfig: { issuer: 'other' } }),
    ]);
    const { body } = await test.client.get(`${path}/${made.id}`, { token: user.token });
    expect(body.jwtConfig).toEqual({ algorithm: 'HS512', issuer: 'other' });
  });

  it.each([
    ['aws', { logglyConfig: {} }, 'credential.logglyConfig does not apply to a credential of the type aws'],
    ['aws', { type: 'loggly' }, 'credential.type is not a property of credential'],
    [
      'certificateKeyPair',
      { certificateKeyPairConfig: { privateKey: pem('other-idp-key') } },
      'credential.certificateKeyPairConfig.privateKey must belong to the certificate',
    ],
  ])('of the type %s is rejected: %j', async (type, body, message) => {
    const made = await make(type);
    const answer = await patch(made.id, body);
    expect([answer.status, answer.body.message]).toEqual([400, message]);
  });

  it('rejects a name that is already in use', async () => {
    await make('loggly');
    const { id } = await make('jwt');
    const { status, body } = await patch(id, { name: 'loggly', jwtConfig: { issuer: 'b' } });
    expect([status, body.message]).toEqual([400, 'credential.name is not available']);
  });
});
