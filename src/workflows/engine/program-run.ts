import type { FlowClass } from '../graph/graph.js';
import type { Run } from './node-run.js';
import type { Ports } from './ports.js';
import type { Program } from './program.js';
import type { RunRequest } from './run-request.js';

/**
 * The facts of a run for the nodes of one program. A class, because each object literal with a getter has a hidden class
 * of its own. V8 allocates these in the old space, and they keep the whole run until that is collected.
 */
export class ProgramRun implements Run {
  readonly id: string;
  readonly applicationId: string;
  readonly flowId: string;
  readonly flowVersionId: string | null;
  readonly flowClass: FlowClass;
  readonly deviceId: string | undefined;
  readonly network: string | undefined;
  readonly ports: Ports;

  constructor(
    private readonly execution: { readonly signal: AbortSignal },
    { id, deviceId, network, ports }: RunRequest,
    { applicationId, flowId, flowVersionId, flowClass }: Program,
  ) {
    this.id = id;
    this.applicationId = applicationId;
    this.flowId = flowId;
    this.flowVersionId = flowVersionId;
    this.flowClass = flowClass;
    this.deviceId = deviceId;
    this.network = network;
    this.ports = ports;
  }

  get signal(): AbortSignal {
    return this.execution.signal;
  }
}
