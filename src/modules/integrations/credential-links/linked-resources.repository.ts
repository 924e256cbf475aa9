import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { Database } from '../../../platform/database/database.js';
import { RowShape } from '../../../platform/database/row-shape.js';
import type { ListParameters } from '../../../platform/lists/list-query.js';
import { runList } from '../../../platform/lists/run-list.js';
import type { Page } from '../../../platform/lists/page.js';
import { FLOW_COMPUTED, FLOW_VERSION_COMPUTED } from '../../flows/flows/flow.columns.js';
import { FlowVersion } from '../../flows/flows/flow-version.resource.js';
import { Flow } from '../../flows/flows/flow.resource.js';
import { Integration } from '../integrations/integration.resource.js';

const INTEGRATION = new RowShape(Integration);
const FLOW = new RowShape(Flow, FLOW_COMPUTED);
const FLOW_VERSION = new RowShape(FlowVersion, FLOW_VERSION_COMPUTED);
/** Matches nodes with the name in a `credentialName` at any depth of their configuration. */
const REFERENCES_CREDENTIAL = `jsonb_path_exists(t.nodes, '$[*].config.**.credentialName ? (@ == $name)',
  jsonb_build_object('name', $2::text))`;
const WHERE = ['t.application_id = $1', REFERENCES_CREDENTIAL];
const PARAMETERS = { searchedBy: 'credentialId', sizedBy: 'credentialId' };
/** First page; `totalCount` contains the total number. */
const FIRST_PAGE: Omit<ListParameters, 'sortField'> = { sortDirection: 'asc', page: 0, perPage: 1000 };

/** Finds the workflows and integrations that refer to a credential by name. */
@Injectable()
export class LinkedResourcesRepository {
  constructor(private readonly database: Database) {}

  /** Returns workflows whose development version refers to the credential. */
  async flows({ id, ownerId: owner }: ApplicationAccess, name: string): Promise<Page<Flow>> {
    const list = { ...FIRST_PAGE, sortField: 'name' };
    const options = { table: 'flows', owner, where: WHERE, values: [id, name], ...PARAMETERS, list };
    return (await runList(this.database, FLOW, options)).toObject({ applicationId: id });
  }

  async flowVersions({ id, ownerId: owner }: ApplicationAccess, name: string): Promise<Page<FlowVersion>> {
    const list = { ...FIRST_PAGE, sortField: 'version' };
    const options = { table: 'flow_versions', owner, where: WHERE, values: [id, name], ...PARAMETERS, list };
    return (await runList(this.database, FLOW_VERSION, options)).toObject({ applicationId: id });
  }

  async integrations({ id, ownerId: owner }: ApplicationAccess, name: string): Promise<Page<Integration>> {
    const list = { ...FIRST_PAGE, sortField: 'name' };
    const where = ['t.application_id = $1', 't.credential_name = $2'];
    const options = { table: 'integrations', owner, where, values: [id, name], ...PARAMETERS, list };
    return (await runList(this.database, INTEGRATION, options)).toObject({ applicationId: id });
  }
}
