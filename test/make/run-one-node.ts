import type { TestApp } from '../setup/app.js';
import { waitUntil } from '../setup/until.js';
import { makeFlow } from './flows.js';

/** What a workflow of one node has done. */
export interface Outcome {
  /** What the node has written to `r`. */
  readonly r?: any;
  /** 1 if the second output was taken. */
  readonly output?: 1;
  readonly error?: { readonly name: string; readonly message: string };
  readonly flowId: string;
}

/** Application and the token of a member. */
export interface Place {
  readonly token: string;
  readonly id: string;
}

const YES = { keyName: 'output', valueType: 'number', value: '1' };
const KEEP = { keyName: 'r', valueType: 'path', value: 'r' };

/** Saves a workflow of one node that writes to `r`, presses its button, and waits for the end of the run. */
export async function runOneNode(
  test: TestApp,
  { token, id: applicationId }: Place,
  type: string,
  config: object,
  payload: unknown = {},
  meta: object = {},
): Promise<Outcome> {
  const path = `/applications/${applicationId}/flows`;
  const { id: flowId } = await makeFlow(test, token, applicationId, {
    triggers: [{ type: 'virtualButton', key: 'go', outputIds: [['node']] }],
    nodes: [
      { id: 'node', type, meta, config: { resultPath: 'r', ...config }, outputIds: [['keep'], ['yes']] },
      { id: 'yes', type: 'StoreValueNode', config: YES, outputIds: [['keep']] },
      { id: 'keep', type: 'StoreValueNode', config: KEEP, outputIds: [] },
    ],
  });
  await test.client.post(`${path}/${flowId}/virtualButton`, { key: 'go', payload }, { token });
  const logs = async () => (await test.client.get(`${path}/${flowId}/logs`, { token })).body;
  await waitUntil(async () => (await logs()).length > 0);
  const { errors } = (await test.client.get(`${path}/${flowId}/errors`, { token })).body;
  const { body } = await test.client.get(`${path}/${flowId}/storage`, { token });
  return { ...body, flowId, ...(errors.length > 0 && { error: errors[0].error }) };
}
