import { cause } from './cause.js';
import { REQUESTED_AT } from './cause-sql.js';
import { runsHereSql } from './free-flow.columns.js';

const MINUTE_MS = 60_000;
const CLOUD_CONDITION = `f.flow_class = 'cloud' AND f.enabled AND (g.flow_version_id IS NULL OR v.enabled)`;
/** A version of an experience keeps its own `enabled`, independently of the development version. */
const EXPERIENCE_CONDITION = `f.flow_class = 'experience' AND CASE WHEN g.flow_version_id IS NULL THEN f.enabled ELSE v.enabled END`;

/**
 * Joins the triggers `g` that match, and their workflows `f` if they can run. Finds triggers by index and workflows by
 * primary key; `OFFSET 0` prevents other plans. Workflows are not locked: engines discard runs of those that are deleted
 * in the meantime.
 */
const triggered = (matches = 'true', canRun = CLOUD_CONDITION) => `CROSS JOIN LATERAL (
      SELECT g.flow_id, g.flow_version_id, coalesce(g.config, '{}') AS config FROM flow_triggers g
      WHERE g.application_id = a.application_id AND g.version = a.version AND g.type = a.type
        AND md5(g.key) = md5(a.key) AND g.key = a.key AND (${matches}) OFFSET 0) g
    JOIN LATERAL (
      SELECT f.xmin AS change, v.xmin AS version_change, coalesce(v.version, 'develop') AS version
      FROM flows f LEFT JOIN flow_versions v ON v.id = g.flow_version_id WHERE f.id = g.flow_id AND ${canRun}
      OFFSET 0) f ON true`;

/** Joins the workflow `f` that the caller has found, unless it is being deleted or runs on devices. */
const found = (join = '', canRun = 'true') => `CROSS JOIN LATERAL (
      SELECT f.id AS flow_id, a.flow_version_id, NULL AS config FROM flows f ${join}
      WHERE f.application_id = a.application_id AND f.id = a.flow_id AND ${runsHereSql('f.flow_class')} AND ${canRun}
      OFFSET 0 FOR KEY SHARE OF f) g`;

/** One workflow, which the caller has found. If it does not run, nothing is counted. */
const NAMED_WORKFLOW = {
  delivery: 'inTransaction',
  countsIf: 'EXISTS (SELECT FROM runs u WHERE u.firing = r.firing)',
  triggerCount: 1,
  asks: { flowId: 'text', flowVersionId: 'text' },
  workflows: found(),
} as const;

/** Press of a virtual button. */
export const VIRTUAL_BUTTON = cause({ ...NAMED_WORKFLOW, counts: 'virtualButton' });

/** Run that is repeated with its payload. Nothing is counted, because nothing was received. */
export const RUN_REPLAY = cause(NAMED_WORKFLOW);

/** Time of a timer, of a workflow that the caller has found. A disabled workflow or version does not run. */
export const TIMER = cause({
  delivery: 'inTransaction',
  counts: 'timer',
  countsIf: 'EXISTS (SELECT FROM runs u WHERE u.firing = r.firing)',
  asks: { flowId: 'text', flowVersionId: 'text' },
  workflows: found(
    'LEFT JOIN flow_versions v ON v.id = a.flow_version_id',
    'f.enabled AND (a.flow_version_id IS NULL OR v.enabled)',
  ),
});

/** Received email. */
export const INBOUND_EMAIL = cause({ ...NAMED_WORKFLOW, counts: 'inboundEmail' });

/** Request to a webhook. */
export const WEBHOOK_REQUEST = cause({
  delivery: 'onReceipt',
  counts: 'webhook',
  triggerCount: 1,
  workflows: triggered(),
});

/** Trigger key that matches every endpoint. */
export const ANY_ENDPOINT = '0'.repeat(24);

/**
 * Request to an experience endpoint. Matches workflows of the requested experience version, and workflows of the
 * application whose trigger names this version or none.
 */
export const ENDPOINT_REQUEST = cause({
  delivery: 'onReceipt',
  counts: 'endpoint',
  triggerCount: 4,
  asks: { flowClass: 'text', experienceVersion: 'text' },
  items: { endpointId: 'text' },
  workflows: triggered(
    `a.flow_class = 'experience' OR coalesce(g.config->>'experienceVersion', a.experience_version) = a.experience_version`,
    `f.flow_class = a.flow_class AND (${CLOUD_CONDITION} OR ${EXPERIENCE_CONDITION})`,
  ),
  payloadKey: 'endpointId',
  isOncePerWorkflow: true,
  isOfExperiences: true,
});

/**
 * Failed run. Triggers match by their scope: errors of the same workflow (`local`), of workflows of a class, or of all.
 * Experience workflows receive only errors of their version of the experience.
 */
export const RUN_FAILURE = cause({
  delivery: 'inTransaction',
  asks: { flowClass: 'text', failedFlowId: 'text', failedFlowClass: 'text' },
  triggerKey: 'g.key',
  workflows: `CROSS JOIN LATERAL (
      SELECT g.flow_id, g.flow_version_id, g.key, NULL::jsonb AS config FROM flow_triggers g
      WHERE g.application_id = a.application_id AND g.version = a.version AND g.type = a.type OFFSET 0) g
    JOIN LATERAL (
      SELECT f.id FROM flows f LEFT JOIN flow_versions v ON v.id = g.flow_version_id
      WHERE f.id = g.flow_id AND f.flow_class = a.flow_class AND (${CLOUD_CONDITION} OR ${EXPERIENCE_CONDITION})
        AND EXISTS (SELECT FROM jsonb_to_recordset(coalesce(v.triggers, f.triggers)) t (type text, key text, config jsonb)
          WHERE t.type = a.type AND t.key = g.key AND CASE coalesce(t.config->>'scope', 'local')
            WHEN 'local' THEN f.id = a.failed_flow_id WHEN 'global' THEN true ELSE t.config->>'scope' = a.failed_flow_class END)
      OFFSET 0 FOR KEY SHARE OF f) f ON true`,
});

/**
 * Change of rows of a data table. Triggers match the changes in their configuration, or all changes if it is empty.
 */
export const ROW_CHANGE = cause({
  delivery: 'inTransaction',
  counts: 'dataTable',
  triggerCount: 1,
  asks: { change: 'text' },
  workflows: triggered(`coalesce(g.config, '{}') = '{}' OR g.config->a.change = 'true'`),
});

/**
 * Change of a file. Keys are the path of the file and its parent directories. Triggers match the changes in their
 * configuration, and private or public files. The default is public files.
 */
export const FILE_CHANGE = cause({
  delivery: 'inTransaction',
  counts: 'appFile',
  triggerCount: 'any',
  asks: { change: 'text', visibility: 'text' },
  workflows: triggered(`g.config->a.change = 'true' AND CASE WHEN g.config ?| ARRAY['public', 'private']
        THEN g.config->a.visibility = 'true' ELSE a.visibility = 'public' END`),
});

/** SQL of the pattern for `LIKE` of a subject in which `*` stands for any text and `?` for any character. */
const SUBJECT_PATTERN = `translate(regexp_replace(g.config->>'subject', '[\\\\%_]', '\\\\\\&', 'g'), '*?', '%_')`;

/**
 * Creation or update of an event. Keys are its level and `any`. Triggers match the states in their configuration, or all
 * states if it contains no state; and subjects like the one in their configuration, in upper or lower case.
 */
export const EVENT_CHANGE = cause({
  delivery: 'inTransaction',
  counts: 'event',
  triggerCount: 2,
  asks: { state: 'text', subject: 'text' },
  workflows: triggered(`CASE WHEN coalesce(g.config, '{}') ?| ARRAY['new', 'acknowledged', 'resolved']
        THEN g.config->a.state = 'true' ELSE true END
        AND (coalesce(g.config->>'subject', '') = '' OR a.subject ILIKE ${SUBJECT_PATTERN})`),
  isOncePerWorkflow: true,
});

const names = (list: string) => `ARRAY(SELECT jsonb_array_elements_text(l.config->'${list}'))`;

/** Replaces the values of a report, which triggers do not compare, and rounds its time. */
function attributesOf({ given, time = new Date() }: { given: string; time?: Date }): {
  given: string;
  time: Date;
} {
  const { data } = JSON.parse(given) as { data: object | null };
  const names = Object.keys(data ?? {}).sort();
  const reduced = data && Object.fromEntries(names.map((name) => [name, 0]));
  return {
    given: JSON.stringify({ data: reduced }),
    time: new Date(Math.floor(time.getTime() / MINUTE_MS) * MINUTE_MS),
  };
}

/** Reported states of a device, which triggers filter by `data` and `time`; the data of an invalid report is `null`. */
export const DEVICE_STATE = cause({
  delivery: 'afterCommit',
  items: { time: 'timestamptz', together: 'boolean' },
  workflows: triggered(),
  accepts: `JOIN LATERAL (
    SELECT FROM (SELECT r.given::jsonb->'data' AS data OFFSET 0) d
    WHERE (d.data NOT IN ('{}', 'null') OR l.config->'allowInvalid' = 'true')
      AND (coalesce(l.config->'attributeWhitelist', '[]') = '[]' OR d.data ?| ${names('attributeWhitelist')})
      AND (NOT l.config ? 'attributeBlacklist'
        OR CASE WHEN d.data IN ('{}', 'null') THEN true ELSE d.data - ${names('attributeBlacklist')} <> '{}' END)
      AND (coalesce((l.config->'maxAge')::float8, 0) <= 0
        OR extract(epoch FROM ${REQUESTED_AT} - r.time) <= (l.config->'maxAge')::float8)
      AND coalesce(l.config->>'triggerOn', 'both') <> CASE WHEN r.together THEN 'individual' ELSE 'batch' END
    OFFSET 0) accepted ON true`,
  reduce: attributesOf,
  isOncePerWorkflow: true,
  hasBatches: true,
});

/**
 * Message on a custom topic. The caller names the topic filters that match. Triggers for other brokers than that of the
 * platform belong to agents.
 */
export const MQTT_MESSAGE = cause({
  delivery: 'afterCommit',
  triggerCount: 'any',
  items: { topic: 'text' },
  workflows: triggered(`coalesce(g.config->>'integrationId', '') NOT IN ('local', 'external')`),
  payloadKey: 'topic',
  isOncePerWorkflow: true,
});

/** Message of an integration, or change of its connection. Triggers match messages, unless their configuration differs. */
export const INTEGRATION_MESSAGE = cause({
  delivery: 'onReceipt',
  counts: 'integration',
  triggerCount: 1,
  asks: { kind: 'text' },
  workflows: triggered(`coalesce((g.config->>a.kind)::boolean, a.kind = 'message')`),
});

/** Change of an execution, in which a trigger names the resource. */
const OF_EXECUTION = { delivery: 'inTransaction', triggerCount: 1, workflows: triggered() } as const;

/** End of the execution of a notebook. */
export const NOTEBOOK_END = cause({ ...OF_EXECUTION, counts: 'notebook' });

/** Iteration of a resource job, its timeout, or the end of the job. */
export const RESOURCE_JOB = cause({ ...OF_EXECUTION, counts: 'resourceJob' });

/** Connection or disconnection of a device. */
export const DEVICE_CONNECTION = cause({
  delivery: 'afterCommit',
  workflows: triggered(),
  isOncePerWorkflow: true,
});

/** Creation of a device. */
export const DEVICE_CREATION = cause({ ...DEVICE_CONNECTION, delivery: 'bestEffort' });
