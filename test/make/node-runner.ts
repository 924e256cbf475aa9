import { waitUntil } from '../setup/until.js';
import type { TestApp } from '../setup/app.js';
import { makeFlow } from './flows.js';

/** What a workflow of one node leaves. */
export interface Outcome {
  /** What the node wrote to `r`. */
  r?: any;
  /** 1 if the path took the second output of the node. */
  output?: 1;
  /** Error of the run. */
  error?: any;
}

const YES = { keyName: 'output', valueType: 'number', value: '1' };

/** Runs a workflow of one node on a platform, whose result is at `r`. `token` and `id` are those of its application. */
export async function ranNode(
  test: TestApp,
  { token, id: applicationId }: { token: string; id: string },
  { type, config, meta = {} }: { type: string; config: object; meta?: object },
  payload: unknown = {},
): Promise<Outcome> {
  const store = { keyName: 'r', valueType: 'path', value: 'r' };
  const path = `/applications/${applicationId}/flows`;
  const { id } = await makeFlow(test, token, applicationId, {
    triggers: [{ type: 'virtualButton', key: 'go', outputIds: [['node']] }],
    nodes: [
      { id: 'node', type, meta, config: { resultPath: 'r', ...config }, outputIds: [['store'], ['yes']] },
      { id: 'yes', type: 'StoreValueNode', config: YES, outputIds: [['store']] },
      { id: 'store', type: 'StoreValueNode', config: store, outputIds: [] },
    ],
  });
  await test.client.post(`${path}/${id}/virtualButton`, { key: 'go', payload }, { token });
  const logs = async () => (await test.client.get(`${path}/${id}/logs`, { token })).body;
  await waitUntil(async () => (await logs()).length > 0);
  const { errors } = (await test.client.get(`${path}/${id}/errors`, { token })).body;
  const { body } = await test.client.get(`${path}/${id}/storage`, { token });
  return { ...body, ...(errors.length > 0 && { error: errors[0].error }) };
}
