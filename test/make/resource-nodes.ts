import { FlowFiles } from '../../src/modules/files/private-files/flow-files.js';
import { WorkflowCalls } from '../../src/platform/calls/workflow-calls.js';
import { ScheduledPresses } from '../../src/modules/flows/flow-schedules/scheduled-presses.js';
import type { Actor, ApiPort, FilesPort, Ports, PressesPort } from '../../src/workflows/engine/ports.js';
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
    return { call: (_actor, ...call) => calls.call(this.actor, ...call) };
  }

  /** The contents of files as the workflow uses them. */
  get files(): FilesPort {
    const files = this.test.app.get(FlowFiles, { strict: false });
    return {
      find: (_actor, ...of) => files.find(this.actor, ...of),
      read: (_actor, ...of) => files.read(this.actor, ...of),
      upload: (_actor, ...of) => files.upload(this.actor, ...of),
    };
  }

  /** Presses at a later time as the workflow schedules them. */
  get presses(): PressesPort {
    const presses = this.test.app.get(ScheduledPresses, { strict: false });
    return {
      schedule: (_actor, press) => presses.schedule(this.actor, press),
      cancel: (_actor, runId) => presses.cancel(this.actor, runId),
    };
  }

  private get actor(): Actor {
    return { id: 'run', applicationId: this.application.id, flowId: this.flow.id };
  }

  /** Calls an operation that must succeed, and returns its result. */
  async called(operationId: string, parameters: object, body?: object): Promise<any> {
    const answer = await this.api.call({} as never, operationId, parameters as Record<string, unknown>, body);
    if ('error' in answer) throw new Error(`${operationId}: ${answer.error.message}`);
    return answer.result;
  }

  execute(
    type: string,
    config: object,
    payload: object = {},
    ports: Partial<Ports> = {},
  ): Promise<NodeResult> {
    const { api, files, presses } = this;
    return runNode(NODE_KINDS.get(type)!, config, payload, { ports: { api, files, presses, ...ports } });
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
