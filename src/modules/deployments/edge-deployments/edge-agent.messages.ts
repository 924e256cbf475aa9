import { Ajv, type ValidateFunction } from 'ajv';
import { ValidationError } from '../../../lib/errors/errors.js';
import { describeFaults } from '../../../lib/json/schema-faults.js';

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

const NAME = { type: 'string', minLength: 1, maxLength: 255 };
const OPTIONAL_NAME = { ...NAME, type: ['string', 'null'] };
const ID = { type: 'string', pattern: '^[\\da-f]{24}$' };
const ETAG = { type: 'string', maxLength: 255 };

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

function assertValid(name: string, validate: ValidateFunction, value: unknown): void {
  if (!validate(value)) throw new ValidationError(describeFaults(name, validate.errors!));
}
