import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { RowShape } from '../../../platform/database/row-shape.js';
import { prepared } from '../../../platform/database/statements.js';
import { StoredResource } from '../../../platform/responses/stored-resources.js';
import { FLOW_COMPUTED, FLOW_VERSION_COMPUTED } from './flow.columns.js';
import { FlowVersion } from './flow-version.resource.js';
import { Flow } from './flow.resource.js';
import type { CustomNodeReference } from '../../../workflows/graph/references.js';

const FLOW = new RowShape(Flow, FLOW_COMPUTED);
const VERSION = new RowShape(FlowVersion, FLOW_VERSION_COMPUTED);

/** Named if the custom nodes exceed a response. */
const sizedBy = 'includeCustomNodes';
const FLOWS = FLOW.select(`FROM flows t
  WHERE t.application_id = $1 AND t.flow_class = 'customNode' AND t.id = ANY($2::text[]) ORDER BY t.name, t.id`);
/** Selects the default version of custom nodes that are referenced without a version. */
const VERSIONS = VERSION.select(`FROM flow_versions t WHERE t.id IN (
    SELECT v.id FROM unnest($2::text[], $3::text[]) r (flow_id, version)
    JOIN flows f ON f.id = r.flow_id AND f.application_id = $1 AND f.flow_class = 'customNode'
    JOIN flow_versions v ON v.flow_id = f.id
      AND (v.version = r.version OR (r.version IS NULL AND v.id = f.default_version_id)))
  ORDER BY t.flow_id, t.id`);

/** Reads the custom nodes of an application that workflows refer to. */
@Injectable()
export class FlowCustomNodesRepository {
  constructor(private readonly database: Database) {}

  /** Returns the existing custom nodes, in order of name. */
  async flows(
    applicationId: string,
    references: readonly CustomNodeReference[],
  ): Promise<StoredResource<Flow>[]> {
    const ids = references.map(({ id }) => id);
    const rows = await this.database.run({ ...prepared(FLOWS, [applicationId, ids]), sizedBy });
    return rows.map((row) => new StoredResource(FLOW, row));
  }

  /** Returns the referenced versions of the custom nodes. */
  async versions(
    applicationId: string,
    references: readonly CustomNodeReference[],
  ): Promise<StoredResource<FlowVersion>[]> {
    const ids = references.map(({ id }) => id);
    const names = references.map(({ version }) => version ?? null);
    const rows = await this.database.run({ ...prepared(VERSIONS, [applicationId, ids, names]), sizedBy });
    return rows.map((row) => new StoredResource(VERSION, row));
  }
}
