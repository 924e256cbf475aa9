import { FlowRunPayload } from '../../src/modules/flows/flow-runs/flow-run-payload.entity.js';
import { FlowRunTrace, type StoredTrace } from '../../src/modules/flows/flow-runs/flow-run-trace.entity.js';
import { FlowRun } from '../../src/modules/flows/flow-runs/flow-run.entity.js';
import type { FlowGraph, FlowNode } from '../../src/workflows/graph/graph.js';
import { newId } from '../../src/platform/repositories/resource.js';
import type { TestApp } from '../setup/app.js';
import type { Platform } from '../setup/platform.js';
import { uniqueName } from './make.js';
import { sumRunsSql } from './runs.js';

/** Creates a workflow over HTTP. */
export async function makeFlow(
  test: Platform,
  token: string,
  applicationId: string,
  body: object = {},
): Promise<any> {
  const path = `/applications/${applicationId}/flows`;
  const answer = await test.client.post(path, { name: uniqueName('flow'), ...body }, { token });
  if (answer.status !== 201) throw new Error(`Could not create a workflow: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Creates a version of a workflow over HTTP. */
export async function makeVersion(
  test: Platform,
  token: string,
  { applicationId, id }: { applicationId: string; id: string },
  body: object = {},
): Promise<any> {
  const path = `/applications/${applicationId}/flows/${id}/versions`;
  const answer = await test.client.post(path, { version: uniqueName('v'), ...body }, { token });
  if (answer.status !== 201) throw new Error(`Could not create a version: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** The smallest custom node. */
export const CUSTOM_NODE: FlowGraph & { flowClass: string } = {
  flowClass: 'customNode',
  triggers: [{ type: 'customNodeStart', outputIds: [['end']] }],
  nodes: [{ id: 'end', type: 'CustomNodeCapNode', outputIds: [] }],
};

/** Custom node of gateways that returns its field `n`. */
export const ECHO_NODE = {
  ...CUSTOM_NODE,
  minimumAgentVersion: '1.41.0',
  customNodeConfig: {
    outputCount: 1,
    resultMode: 'required',
    fields: [{ id: 'n', type: 'numberTemplate', label: 'Number', required: true }],
  },
  nodes: [{ id: 'end', type: 'CustomNodeCapNode', config: { resultSourcePath: 'data.n' }, outputIds: [] }],
};

/** Returns a node that executes an `ECHO_NODE` with a template, and stores the result as `working.n`. */
export const echoing = (customNodeId: string, value: string) => ({
  type: 'CustomNodeExecuteNode',
  config: { customNodeId, resultPath: 'working.n', fields: [{ id: 'n', value }] },
});

/** Returns a node that executes a custom node, in the named version if given. */
export function executing(customNodeId: string, customNodeVersion?: string): FlowNode {
  return { id: 'execute', type: 'CustomNodeExecuteNode', config: { customNodeId, customNodeVersion } };
}

/** Returns the data derived from a workflow: its triggers by type and key, and the IDs it references. */
export async function derivedOf(
  test: TestApp,
  id: string,
): Promise<{ live_triggers: { type: string; key?: string }[]; named_ids: string[] }> {
  const [row] = await test.dataSource.query(
    `SELECT f.named_ids, (SELECT coalesce(json_agg(json_strip_nulls(json_build_object('type', g.type, 'key', g.key))
       ORDER BY g.type DESC, g.key), '[]') FROM flow_triggers g WHERE g.flow_id = f.id AND g.version = 'default') AS live_triggers
     FROM flows f WHERE f.id = $1`,
    [id],
  );
  return row;
}

/** Creates runs of a workflow, as the executing process stores them. */
export async function makeRuns(
  test: TestApp,
  { applicationId, id: flowId }: { applicationId: string; id: string },
  runs: readonly Partial<FlowRun>[],
): Promise<void> {
  const usual = {
    applicationId,
    flowId,
    requestedAt: new Date(),
    payloadId: newId(),
  } as const;
  const made = runs.map((run) => ({ id: newId(), ...usual, ...run }));
  await test.dataSource.manager.insert(FlowRun, made as object[]);
  await test.dataSource.query(sumRunsSql('(SELECT * FROM flow_runs WHERE id = ANY ($1::text[]))'), [
    made.map(({ id }) => id),
  ]);
}

/** Trigger of the runs that `makeTracedRun` creates. */
export const PRESSED = { type: 'virtualButton', key: 'go', data: { temp: 99 } };
/** Trace of these runs. */
export const TRACE: StoredTrace = {
  reason: 'failed',
  count: 3,
  nodes: [
    { id: 'hot', type: 'ConditionalNode', label: 'Hot?' },
    { id: 'log', type: 'DebugNode' },
  ],
  entries: [
    [0, 0.5, 0.25, 1],
    [1, 1, 2, -1],
    [1, 3, 4, -2],
  ],
};

/** Creates a run of a workflow with its payload and its trace, and returns its ID. */
export async function makeTracedRun(
  test: TestApp,
  flow: { applicationId: string; id: string },
  run: Partial<FlowRun> = {},
): Promise<string> {
  const { applicationId, id: flowId } = flow;
  const { manager } = test.dataSource;
  const [id, payloadId] = [newId(), newId()];
  await manager.insert(FlowRunPayload, { id: payloadId, applicationId, trigger: PRESSED });
  await makeRuns(test, flow, [{ id, payloadId, finishedAt: new Date(), ...run }]);
  await manager.insert(FlowRunTrace, { id, applicationId, flowId, trace: TRACE });
  return id;
}

/** Executes `work` while a transaction holds a workflow, as one that deletes it does. */
export async function whileLocked(
  test: TestApp,
  flow: { id: string },
  work: () => Promise<void>,
): Promise<void> {
  const holder = test.dataSource.createQueryRunner();
  try {
    await holder.startTransaction();
    await holder.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    await holder.query('SELECT FROM flows WHERE id = $1 FOR UPDATE', [flow.id]);
    await work();
    await holder.commitTransaction();
  } finally {
    if (holder.isTransactionActive) await holder.rollbackTransaction();
    await holder.release();
  }
}
