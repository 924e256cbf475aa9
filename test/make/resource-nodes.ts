import { WorkflowCalls } from '../../src/platform/calls/workflow-calls.js';
import type { ApiPort } from '../../src/workflows/engine/ports.js';
import { NODE_KINDS } from '../../src/workflows/nodes/index.js';
import { runNode, type NodeResult } from '../doubles/run-node.js';
import type { TestApp } from '../setup/app.js';
import { makeFlow } from './flows.js';
import type { TestUser } from './make.js';

/** Executes nodes on the platform for a workflow that each test creates. */
export class ResourceNodes {
  flow: { id: string; name: string };

  constructor(
    private readonly test: TestApp,
    user: TestUser,
    private readonly application: { id: string },
  ) {
    beforeEach(async () => {
      this.flow = await makeFlow(test, user.token, application.id);
    });
  }

  /** The API as the workflow uses it. */
  get api(): ApiPort {
    const calls = this.test.app.get(WorkflowCalls);
    const actor = { id: 'run', applicationId: this.application.id, flowId: this.flow.id };
    return { call: (_actor, ...call) => calls.call(actor, ...call) };
  }

  /** Calls an operation that must succeed, and returns its result. */
  async called(operationId: string, parameters: object, body?: object): Promise<any> {
    const answer = await this.api.call({} as never, operationId, parameters as Record<string, unknown>, body);
    if ('error' in answer) throw new Error(`${operationId}: ${answer.error.message}`);
    return answer.result;
  }

  execute(type: string, config: object, payload: object = {}): Promise<NodeResult> {
    return runNode(NODE_KINDS.get(type)!, config, payload, { ports: { api: this.api } });
  }

  /** Executes a node and returns its result at the path `r` of the payload. */
  async resultOf(type: string, config: object, payload: object = {}): Promise<any> {
    const result = await this.execute(type, { resultPath: 'r', ...config }, payload);
    return (result.payload as { r: unknown }).r;
  }
}

/** Returns tags as nodes configure them. */
export const tagPairs = (tags: Record<string, string>) =>
  Object.entries(tags).map(([keyTemplate, valueTemplate]) => ({ keyTemplate, valueTemplate }));
