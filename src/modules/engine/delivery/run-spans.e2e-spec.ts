import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makeFlow } from '../../../../test/make/flows.js';
import { makeApplication, makeUser, type TestUser } from '../../../../test/make/make.js';
import { startApp, type TestApp } from '../../../../test/setup/app.js';
import { freshDatabase, type FreshDatabase } from '../../../../test/setup/fresh-database.js';
import { waitUntil } from '../../../../test/setup/until.js';
import { Metrics } from '../../../platform/probes/metrics.js';

const MUTATE = {
  id: 'set',
  type: 'MutateNode',
  config: { rules: [{ type: 'set', destination: 'a', valueType: 'string', value: 'secret' }] },
  outputIds: [['throw']],
};
const THROW = {
  id: 'throw',
  type: 'ThrowErrorNode',
  config: { messageTemplate: 'It is {{data.text}}' },
  outputIds: [],
};

describe('The spans of runs', () => {
  let database: FreshDatabase;
  let test: TestApp;
  let user: TestUser;
  let application: any;
  let collector: Server;
  let status: number;
  let received: { path?: string; text: string }[];

  beforeAll(async () => {
    collector = createServer((request, response) => {
      void (async () => {
        const text = Buffer.concat((await request.toArray()) as Buffer[]).toString();
        received.push({ path: request.url, text });
        response.writeHead(status).end('{}');
      })();
    }).listen(0, '127.0.0.1');
    await waitUntil(async () => collector.listening);
    const { port } = collector.address() as AddressInfo;
    database = await freshDatabase({ migrated: true });
    test = await startApp(
      { PROCESS_ROLE: 'api,worker,engine', OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}/otlp/` },
      { databaseUrl: database.url },
    );
    user = await makeUser(test);
    application = await makeApplication(test, user.token);
  });
  beforeEach(() => {
    status = 200;
    received = [];
  });
  afterAll(async () => {
    await test.close();
    await database.drop();
    await new Promise((resolve) => collector.close(resolve));
  });

  async function press(): Promise<any> {
    const flow = await makeFlow(test, user.token, application.id, {
      triggers: [{ type: 'virtualButton', key: 'go', outputIds: [['set']] }],
      nodes: [MUTATE, THROW],
    });
    const path = `/applications/${application.id}/flows/${flow.id}/virtualButton`;
    await test.client.post(path, { key: 'go', payload: { text: 'hot' } }, { token: user.token });
    return flow;
  }
  const valuesOf = ({ attributes }: any): object =>
    Object.fromEntries(attributes.map(({ key, value }: any) => [key, value.stringValue ?? value.intValue]));

  it('are sent to the collector, without payloads', async () => {
    const flow = await press();
    await waitUntil(async () => received.length > 0);
    const [{ path, text }] = received as [{ path: string; text: string }];
    expect(path).toBe('/otlp/v1/traces');
    expect(text).not.toMatch(/hot|secret/);
    const [{ resource, scopeSpans }] = JSON.parse(text).resourceSpans;
    expect(valuesOf(resource)).toEqual({ 'service.name': 'fieldwright' });
    const [run, set, thrown] = scopeSpans[0].spans;
    const ended = () => test.dataSource.query('SELECT id FROM flow_runs WHERE flow_id = $1', [flow.id]);
    await waitUntil(async () => (await ended()).length === 1);
    const [{ id }] = await ended();
    const trace = { traceId: `00000000${id}`, spanId: expect.stringMatching(/^[\da-f]{16}$/), kind: 1 };
    expect(run).toMatchObject({ ...trace, name: 'workflow.run', status: { code: 2 } });
    expect(valuesOf(run)).toEqual({
      'fieldwright.application.id': application.id,
      'fieldwright.workflow.id': flow.id,
      'fieldwright.workflow.version': 'develop',
      'fieldwright.run.id': id,
      'fieldwright.run.trigger': 'virtualButton',
      'fieldwright.run.paths_completed': '0',
      'fieldwright.run.paths_failed': '1',
      'error.type': 'ThrowErrorNodeError',
    });
    const part = { ...trace, parentSpanId: run.spanId };
    expect(set).toMatchObject({ ...part, name: 'MutateNode' });
    expect(set).not.toHaveProperty('status');
    expect(thrown).toMatchObject({ ...part, name: 'ThrowErrorNode', status: { code: 2 } });
    expect(valuesOf(thrown)).toEqual({
      'fieldwright.node.id': 'throw',
      'error.type': 'ThrowErrorNodeError',
    });
    for (const { startTimeUnixNano: start, endTimeUnixNano: end } of [run, set, thrown]) {
      expect([start, end]).toEqual([expect.stringMatching(/^\d{19}$/), expect.stringMatching(/^\d{19}$/)]);
      expect(BigInt(end) >= BigInt(start)).toBe(true);
    }
  });

  it('are dropped and counted if the collector fails, and those of later runs are sent', async () => {
    status = 500;
    await press();
    const counted = async () =>
      /^spans_dropped_total 3$/m.test(await test.app.get(Metrics).registry.metrics());
    await waitUntil(counted);
    expect(test.log.join('')).toContain('Could not send spans: the collector responded 500');
    status = 200;
    received = [];
    const flow = await press();
    await waitUntil(async () => received.some(({ text }) => text.includes(flow.id)));
  });
});
