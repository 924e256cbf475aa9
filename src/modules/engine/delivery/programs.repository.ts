import { Injectable } from '@nestjs/common';
import { RunsIn } from '../../../platform/processes/roles.js';
import { Database } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import type { FlowSource } from '../../../workflows/engine/compile-program.js';
import type { DeviceFacts } from '../../../workflows/engine/root-payload.js';
import type {
  CustomNodeConfig,
  FlowClass,
  FlowGlobal,
  FlowNode,
  FlowTrigger,
} from '../../../workflows/graph/graph.js';
import type { RunKey, WaitingRun } from '../../../workflows/runs/handover.js';
import { PROGRAM_PARTS, PROGRAM_STAMP } from '../../../workflows/runs/program-parts.columns.js';
import type { RunTrigger } from '../../../workflows/runs/run-trigger.js';

/** Version of a workflow: `null` for the development version. */
export interface VersionId {
  flowId: string;
  flowVersionId: string | null;
}

/** What a run needs besides its program. */
export interface RunFacts {
  /** Changes with every change of what the program is made of. `null` if the workflow or the version does not exist. */
  stamp: string | null;
  /** `null` if its payload does not exist. */
  trigger: RunTrigger | null;
  device: DeviceFacts | null;
  /** Whether the run has begun before and has effects. */
  hasEffects: boolean;
}

/** A run in the inbox and its facts. */
export interface FoundRun {
  run: WaitingRun;
  /** Number of beginnings that were counted. The first one usually is not. */
  attempts: number;
  facts: RunFacts;
}

/** A version of a workflow and its stamp. */
export interface LoadedSource {
  stamp: string;
  source: FlowSource;
}

type FoundRow = WaitingRun & RunFacts & Pick<FoundRun, 'attempts'>;

interface SourceRow {
  stamp: string;
  applicationId: string;
  applicationName: string;
  applicationGlobals: FlowGlobal[] | null;
  experienceGlobals: FlowGlobal[] | null;
  flowId: string;
  flowName: string;
  flowClass: FlowClass;
  flowVersionId: string | null;
  flowVersion: string;
  triggers: FlowTrigger[];
  nodes: FlowNode[];
  globals: FlowGlobal[];
  customNodeConfig: CustomNodeConfig | null;
  isOfInstance?: boolean;
}

const FIND = `SELECT q.lane, q.seq, q.id, q.application_id, q.flow_id, q.flow_version_id, q.device_id, q.payload_id,
    q.requested_at, q.attempts, ${PROGRAM_STAMP} AS stamp, coalesce(q.trigger, p.trigger) AS trigger, d.device,
    EXISTS (SELECT FROM run_effects x WHERE x.seq = q.seq) AS has_effects
  FROM unnest($1::smallint[], $2::bigint[]) k (lane, seq)
  CROSS JOIN LATERAL (SELECT * FROM run_inbox q WHERE q.lane = k.lane AND q.seq = k.seq OFFSET 0) q
  ${PROGRAM_PARTS}
  LEFT JOIN LATERAL (SELECT p.trigger FROM flow_run_payloads p WHERE p.id = q.payload_id OFFSET 0) p ON true
  LEFT JOIN LATERAL (SELECT json_build_object('id', d.id, 'name', d.name, 'tags', d.tags, 'attributes', d.attributes) AS device
    FROM devices d WHERE d.id = q.device_id AND d.application_id = q.application_id AND d.deleted_at IS NULL OFFSET 0) d ON true`;
const SOURCE = `SELECT ${PROGRAM_STAMP} AS stamp, a.id AS application_id, a.name AS application_name,
    a.globals AS application_globals, e.globals AS experience_globals, f.id AS flow_id, f.name AS flow_name, f.flow_class,
    v.id AS flow_version_id, coalesce(v.version, 'develop') AS flow_version, coalesce(v.triggers, f.triggers) AS triggers,
    coalesce(v.nodes, f.nodes) AS nodes, coalesce(v.globals, f.globals) AS globals,
    CASE WHEN v.id IS NULL THEN f.custom_node_config ELSE v.custom_node_config END AS custom_node_config
  FROM (SELECT $1::text AS application_id, $2::text AS flow_id, $3::text AS flow_version_id) q ${PROGRAM_PARTS}`;
const CUSTOM_NODE = `SELECT ${PROGRAM_STAMP} AS stamp, q.flow_version_id
  FROM (SELECT c.application_id, c.id AS flow_id, CASE $3 WHEN 'develop' THEN NULL WHEN 'default' THEN c.default_version_id
      ELSE coalesce((SELECT v.id FROM flow_versions v WHERE v.flow_id = c.id AND v.version = $3), '') END AS flow_version_id
    FROM flows c WHERE c.application_id = $1 AND c.id = $2 AND c.flow_class = 'customNode') q ${PROGRAM_PARTS}`;
/** Joins the rows that a custom node of the instance is made of, for the application that executes it. */
const INSTANCE_PARTS = `FROM applications a
  LEFT JOIN orgs o ON a.owner_type = 'organization' AND o.id = a.owner_id
  LEFT JOIN users u ON a.owner_type = 'user' AND u.id = a.owner_id
  JOIN instance_custom_nodes n ON n.id = $2 AND n.instance_id = coalesce(o.instance_id, u.instance_id)
  WHERE a.id = $1 AND a.deleted_at IS NULL`;
const INSTANCE_STAMP = `concat_ws(' ', n.xmin, a.xmin) AS stamp`;
const INSTANCE_NODE = `SELECT ${INSTANCE_STAMP} ${INSTANCE_PARTS}`;
const INSTANCE_SOURCE = `SELECT ${INSTANCE_STAMP}, a.id AS application_id, a.name AS application_name,
    a.globals AS application_globals, NULL AS experience_globals, n.id AS flow_id, n.name AS flow_name,
    'customNode' AS flow_class, NULL AS flow_version_id, 'develop' AS flow_version, n.triggers, n.nodes,
    '[]'::json AS globals, n.custom_node_config, true AS is_of_instance
  ${INSTANCE_PARTS}`;

/** Reads the versions of workflows that runs execute. */
@Injectable()
@RunsIn('engine')
export class ProgramsRepository {
  constructor(private readonly database: Database) {}

  /** Returns those runs that are in the inbox, with their facts, by their numbers. */
  async find(keys: readonly RunKey[]): Promise<Map<number, FoundRun>> {
    const values = [keys.map(({ lane }) => lane), keys.map(({ seq }) => seq)];
    const rows = await this.database.rowsOfMany<FoundRow>(prepared(FIND, values));
    return new Map(
      rows.map(({ attempts, stamp, trigger, device, hasEffects, ...run }) => [
        run.seq,
        { run, attempts, facts: { stamp, trigger, device, hasEffects } },
      ]),
    );
  }

  /** Returns a version of a workflow, or `undefined` if it does not exist. */
  async source(applicationId: string, version: VersionId): Promise<LoadedSource | undefined> {
    const values = [applicationId, version.flowId, version.flowVersionId];
    const [row] = await this.database.rows<Omit<SourceRow, 'stamp'> & { stamp: string | null }>(
      prepared(SOURCE, values),
    );
    return row && row.stamp !== null ? sourceOf({ ...row, stamp: row.stamp }) : undefined;
  }

  /** Returns the ID and stamp of a version of a custom node by name, or `undefined` if it does not exist. */
  async customNode(
    applicationId: string,
    flowId: string,
    version: string,
  ): Promise<{ stamp: string; flowVersionId: string | null } | undefined> {
    const [row] = await this.database.rows<{ stamp: string | null; flowVersionId: string | null }>(
      prepared(CUSTOM_NODE, [applicationId, flowId, version]),
    );
    return row && row.stamp !== null ? { ...row, stamp: row.stamp } : undefined;
  }

  /** Returns the stamp of a custom node of the instance that the owner of an application belongs to, if it exists. */
  async instanceNode(applicationId: string, id: string): Promise<string | undefined> {
    const [row] = await this.database.rows<{ stamp: string }>(prepared(INSTANCE_NODE, [applicationId, id]));
    return row?.stamp;
  }

  /** Returns such a custom node. */
  async instanceSource(applicationId: string, id: string): Promise<LoadedSource | undefined> {
    const [row] = await this.database.rows<SourceRow>(prepared(INSTANCE_SOURCE, [applicationId, id]));
    return row && sourceOf(row);
  }
}

function sourceOf(row: SourceRow): LoadedSource {
  const {
    stamp,
    applicationGlobals,
    experienceGlobals,
    triggers,
    nodes,
    globals,
    customNodeConfig,
    ...facts
  } = row;
  const graph = { triggers, nodes, globals, ...(customNodeConfig ? { customNodeConfig } : {}) };
  return {
    stamp,
    source: { ...facts, graph, outerGlobals: [applicationGlobals ?? [], experienceGlobals ?? []] },
  };
}
