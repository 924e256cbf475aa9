import { makeFlow } from '../../../../test/make/flows.js';
import { answerOf, ListenedWebhook } from '../../../../test/make/webhooks.js';
import { suite } from '../../../../test/setup/suite.js';
import { waitUntil } from '../../../../test/setup/until.js';

const redis = new URL(process.env.TEST_REDIS_URL!);
const postgres = new URL(process.env.TEST_POSTGRES_URL!);
const REDIS = {
  host: redis.hostname,
  port: redis.port,
  password: decodeURIComponent(redis.password),
};
const ENGINE = { PROCESS_ROLE: 'api,worker,engine' };
const OPEN = { ...ENGINE, WORKFLOW_ORIGINS: `tcp://${redis.host},tcp://${postgres.host}` };

const reply = { id: 'reply', type: 'WebhookReplyNode', config: { bodyTemplateType: 'payload' } };

const sqlConfig = {
  system: 'pg',
  host: postgres.hostname,
  port: Number(postgres.port),
  username: postgres.username,
  password: decodeURIComponent(postgres.password),
};

describe('A workflow that uses other services', () => {
  const { test, user, application } = suite(OPEN, { database: 'own' });

  async function answered(nodes: object[], data: object = {}): Promise<any> {
    const hook = await ListenedWebhook.make(test, { waitForReply: true }, { user, application });
    await hook.patch(`/flows/${hook.flow.id}`, {
      triggers: [{ ...hook.triggers[0], outputIds: [[(nodes[0] as any).id]] }],
      nodes: [...nodes, reply],
    });
    const [status, payload] = await answerOf(await hook.postJson(data));
    expect(status).toBe(200);
    return payload;
  }

  it('asks a database with a credential, and Redis', async () => {
    const path = `/applications/${application.id}/credentials`;
    const made = await test.client.post(path, { name: 'db', type: 'sql', sqlConfig }, { token: user.token });
    expect(made.status).toBe(201);
    const query = {
      id: 'sql',
      type: 'SqlNode',
      config: {
        credentialNameTemplate: 'db',
        databaseTemplate: 'postgres',
        query: "SELECT '{{data.body.name}}' AS name",
        resultPath: 'rows',
      },
      outputIds: [['redis']],
    };
    const echo = {
      id: 'redis',
      type: 'RedisNode',
      config: { ...REDIS, command: 'echo', arguments: ['{{rows.[0].name}}'], resultPath: 'echo' },
      outputIds: [['reply']],
    };
    expect(await answered([query, echo], { name: 'Pump' })).toMatchObject({
      rows: [{ name: 'Pump' }],
      echo: 'Pump',
    });
  });
});

describe('A platform without private servers for workflows', () => {
  const { test, user, application } = suite(ENGINE, { database: 'own' });

  /** Returns the errors of a workflow whose node fails. */
  async function errorsOf(node: object): Promise<any[]> {
    const { token } = user;
    const flow = await makeFlow(test, token, application.id, {
      triggers: [{ type: 'virtualButton', key: 'go', outputIds: [['node']] }],
      nodes: [{ id: 'node', outputIds: [], ...node }],
    });
    const path = `/applications/${application.id}/flows/${flow.id}`;
    await test.client.post(`${path}/virtualButton`, { key: 'go', payload: {} }, { token });
    const errors = async (): Promise<any[]> =>
      (await test.client.get(`${path}/errors`, { token })).body.errors;
    await waitUntil(async () => (await errors()).length > 0);
    return errors();
  }

  it('refuses its own Redis, and shows no password', async () => {
    const [error, ...others] = await errorsOf({ type: 'RedisNode', config: { ...REDIS, command: 'ping' } });
    expect(others).toEqual([]);
    expect(error.error).toEqual({ name: 'RequestError', message: 'The other server cannot be reached' });
    expect(JSON.stringify(error)).not.toContain(REDIS.password);
    expect(test.log.join('')).not.toContain(REDIS.password);
  });

  it('stores nodes of services that it cannot reach, and fails their runs', async () => {
    const [failure] = await errorsOf({ type: 'SnowflakeNode', config: { hostTemplate: 'x' } });
    expect(failure.error).toEqual({
      name: 'UnsupportedNodeError',
      message: 'SnowflakeNode node cannot run: this platform has no connector for Snowflake',
    });
  });
});
