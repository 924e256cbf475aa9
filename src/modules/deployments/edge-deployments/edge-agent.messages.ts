import { Ajv, type ValidateFunction } from 'ajv';
import { ValidationError } from '../../../lib/errors/errors.js';
import { describeFaults } from '../../../lib/json/schema-faults.js';
import type { ReportedRuns } from '../../../workflows/runs/reported-runs.repository.js';

/** A workflow that a gateway runs. */
export interface RunningFlow {
  readonly version: string;
  /** ETag with which the version was sent. */
  readonly etag: string;
}

/** ETags of the facts that the platform sends to a gateway. */
export interface SyncEtags {
  readonly globalsEtag?: string;
  readonly deviceEtag?: string;
  readonly peripheralsEtag?: string;
}

/** What the agent of a gateway says after it has connected, and when it has applied a change. */
export interface GatewayHello extends SyncEtags {
  readonly service: 'gatewayEdgeAgent';
  /** Version of the agent. */
  readonly version: string;
  /** All workflows that the agent runs, by ID. Those of files, with `fileName`, are not the platform's. */
  readonly flows: Readonly<Record<string, RunningFlow & { readonly fileName?: string }>>;
  /** Whether messages to the agent are compressed. */
  readonly gzip?: boolean;
}

/** What an agent says about a released workflow: it runs a version, or none any more, or could not run the desired one. */
export interface FlowReport {
  readonly flowId: string;
  readonly version?: string | null;
  readonly etag?: string | null;
  /** Why the version with the ETag does not run. The former one still runs. */
  readonly error?: string;
}

/** Maximum number of workflows of a gateway in a message. */
export const MAX_GATEWAY_FLOWS = 1_000;
const MAX_ERROR = 4_096;
const MAX_COUNT = 1_000_000_000;

const NAME = { type: 'string', minLength: 1, maxLength: 255 };
const OPTIONAL_NAME = { ...NAME, type: ['string', 'null'] };
const ID = { type: 'string', pattern: '^[\\da-f]{24}$' };
const ETAG = { type: 'string', maxLength: 255 };
const TIME = '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?Z$';

const ajv = new Ajv({ allowUnionTypes: true });
const isHello = ajv.compile({
  type: 'object',
  required: ['service', 'version', 'flows'],
  properties: {
    service: { const: 'gatewayEdgeAgent' },
    version: { type: 'string', pattern: '^\\d{1,6}\\.\\d{1,6}\\.\\d{1,6}(-[\\w.]{1,32})?$' },
    flows: {
      type: 'object',
      maxProperties: MAX_GATEWAY_FLOWS,
      additionalProperties: {
        type: 'object',
        required: ['version', 'etag'],
        properties: { version: NAME, etag: NAME, fileName: NAME },
      },
    },
    globalsEtag: ETAG,
    deviceEtag: ETAG,
    peripheralsEtag: ETAG,
    gzip: { type: 'boolean' },
  },
});
const areReports = ajv.compile({
  type: 'array',
  maxItems: MAX_GATEWAY_FLOWS,
  items: {
    type: 'object',
    required: ['flowId'],
    properties: {
      flowId: ID,
      version: OPTIONAL_NAME,
      etag: OPTIONAL_NAME,
      error: { type: 'string', minLength: 1 },
    },
  },
});

const TEXT = { type: 'string', maxLength: 255 };
const COUNT = { type: 'integer', minimum: 0, maximum: MAX_COUNT };
const areMetrics = ajv.compile({
  type: 'array',
  maxItems: MAX_GATEWAY_FLOWS,
  items: {
    type: 'object',
    required: ['flowId', 'flowVersion', 'runCount'],
    properties: {
      flowId: NAME,
      flowVersion: NAME,
      runCount: COUNT,
      errorCount: COUNT,
      pathsCompleted: COUNT,
      pathsFailed: COUNT,
      wallTime: { ...COUNT, type: 'number' },
    },
  },
});
const areErrors = ajv.compile({
  type: 'array',
  maxItems: MAX_GATEWAY_FLOWS,
  items: {
    type: 'object',
    required: ['flowId', 'flowVersion', 'time', 'error'],
    properties: {
      flowId: NAME,
      flowVersion: NAME,
      time: { type: 'string', pattern: TIME },
      nodeId: TEXT,
      nodeLabel: TEXT,
      error: {
        type: 'object',
        required: ['name', 'message'],
        properties: { name: NAME, message: { type: 'string' } },
      },
    },
  },
});

/** Reads a hello. Throws a `ValidationError` that names the fault. */
export function readHello(value: unknown): GatewayHello {
  assertValid('hello', isHello, value);
  return value as GatewayHello;
}

/** Reads a report of one workflow, or of several. Throws a `ValidationError` that names the fault. */
export function readFlowReports(value: unknown): readonly FlowReport[] {
  const given = Array.isArray(value) ? value : [value];
  assertValid('flows', areReports, given);
  return (given as FlowReport[]).map(({ flowId, version, etag, error }) => ({
    flowId,
    version: version ?? null,
    etag: etag ?? null,
    ...(error !== undefined && { error: error.slice(0, MAX_ERROR) }),
  }));
}

/** Runs of a workflow since the last message, and how many of them had errors. */
interface RunMetrics {
  readonly flowId: string;
  readonly flowVersion: string;
  readonly runCount: number;
  readonly errorCount?: number;
  readonly pathsCompleted?: number;
  readonly pathsFailed?: number;
  readonly wallTime?: number;
}

/** An error that terminated a path of a workflow. */
interface FlowError {
  readonly flowId: string;
  readonly flowVersion: string;
  readonly time: string;
  readonly nodeId?: string;
  readonly nodeLabel?: string;
  readonly error: { readonly name: string; readonly message: string };
}

/** Reads numbers of runs of a workflow, or of several. Throws a `ValidationError` that names the fault. */
export function readMetrics(value: unknown): ReportedRuns[] {
  const given = Array.isArray(value) ? value : [value];
  assertValid('metrics', areMetrics, given);
  return (given as RunMetrics[]).map(
    ({
      flowId,
      flowVersion,
      runCount,
      errorCount = 0,
      pathsCompleted = 0,
      pathsFailed = 0,
      wallTime = 0,
    }) => ({
      flowId,
      flowVersion,
      runs: runCount,
      failedRuns: Math.min(errorCount, runCount),
      pathsCompleted,
      pathsFailed,
      wallTime: Math.round(wallTime),
      errors: [],
    }),
  );
}

/** Reads an error of a workflow, or several. Their runs are part of the metrics. Throws as `readMetrics` does. */
export function readErrors(value: unknown): ReportedRuns[] {
  const given = Array.isArray(value) ? value : [value];
  assertValid('errors', areErrors, given);
  const byVersion = new Map<string, ReportedRuns & { errors: object[] }>();
  for (const { flowId, flowVersion, time, nodeId, nodeLabel, error } of given as FlowError[]) {
    const key = `${flowId} ${flowVersion}`;
    const none = { runs: 0, failedRuns: 0, pathsCompleted: 0, pathsFailed: 0, wallTime: 0 };
    const found = byVersion.get(key) ?? { flowId, flowVersion, ...none, errors: [] };
    byVersion.set(key, found);
    const { name, message } = error;
    if (Number.isNaN(Date.parse(time))) throw new ValidationError('errors.time must be a time in ISO 8601');
    found.errors.push({ time, nodeId, nodeLabel, error: { name, message: message.slice(0, MAX_ERROR) } });
  }
  return [...byVersion.values()];
}

function assertValid(name: string, validate: ValidateFunction, value: unknown): void {
  if (!validate(value)) throw new ValidationError(describeFaults(name, validate.errors!));
}
