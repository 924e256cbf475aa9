import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';

const FLOW_COLUMNS = `f.id, f.name, f.description, f.short_description, f.icon_data, f.docs_url, f.category,
  f.custom_node_supports`;

/** Custom nodes of the application, in each version, and those of the instance that its owner belongs to. */
const NODES = `SELECT ${FLOW_COLUMNS}, f.custom_node_config, f.minimum_agent_version,
    NULL AS flow_version_id, 'develop' AS version, NULL::timestamptz AS made
  FROM flows f WHERE f.application_id = $1 AND f.flow_class = 'customNode'
  UNION ALL SELECT ${FLOW_COLUMNS}, v.custom_node_config, v.minimum_agent_version, v.id, v.version, v.creation_date
  FROM flows f JOIN flow_versions v ON v.flow_id = f.id
  WHERE f.application_id = $1 AND f.flow_class = 'customNode'
  UNION ALL SELECT n.id, n.name, n.description, n.short_description, n.icon_data, n.docs_url, n.category,
    n.custom_node_supports, n.custom_node_config, n.minimum_agent_version, NULL, NULL, NULL
  FROM applications a LEFT JOIN orgs o ON a.owner_type = 'organization' AND o.id = a.owner_id
  LEFT JOIN users u ON a.owner_type = 'user' AND u.id = a.owner_id
  JOIN instance_custom_nodes n ON n.instance_id = coalesce(o.instance_id, u.instance_id) WHERE a.id = $1`;

/** Custom nodes without a class run in the cloud. */
const CLASSES = `CASE WHEN t.custom_node_supports ? 'edge'
  THEN json_build_object('edge', coalesce(to_json(t.minimum_agent_version), 'true'), 'customNode', true)
  ELSE json_build_object('cloud', true, 'experience', true, 'customNode', true) END`;

const PALETTE = `SELECT json_build_object('id', t.id, 'name', t.name, 'description', t.description,
    'shortDescription', t.short_description, 'iconData', t.icon_data, 'docsUrl', t.docs_url,
    'category', t.category, 'customNodeConfig', t.custom_node_config, 'flowVersionId', t.flow_version_id,
    'version', t.version, 'compatibleFlowClasses', ${CLASSES}) AS node
  FROM (${NODES}) t ORDER BY t.name, t.id, t.made DESC NULLS FIRST, t.flow_version_id DESC`;

/** Reads custom nodes of applications and instances for the palette. */
@Injectable()
export class PaletteRepository {
  constructor(private readonly database: Database) {}

  /** Returns the custom nodes that workflows of the application can execute, in order of name, newest version first. */
  async customNodes(applicationId: string): Promise<object[]> {
    const rows = await this.database.rows<{ node: object }>(prepared(PALETTE, [applicationId]));
    return rows.map(({ node }) => node);
  }
}
