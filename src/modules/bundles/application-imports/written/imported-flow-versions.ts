import { Injectable } from '@nestjs/common';
import type { Author } from '../../../../platform/audit/author.js';
import type { Bundled } from '../../../../platform/bundles/bundled.js';
import type { Transaction } from '../../../../platform/database/database.js';
import { BUNDLED_EXPERIENCE_FLOWS } from '../../../flows/flows/flow.bundle.js';
import { FLOW_VERSIONS } from '../../../flows/flows/flow-version.resource.js';
import { ImportedRowsRepository } from '../imported-rows.repository.js';
import type { ImportTask } from '../asked/import-task.js';
import type { PlannedRow } from '../planned/planned-rows.js';
import type { Problems } from '../problems.js';

const EMPTY = { triggers: [], nodes: [], globals: [], namedIds: [] };
const MAX_NAME_LENGTH = 255;
const MAX_DESCRIPTION_LENGTH = 32_767;

/** Special handling of workflow versions: each one needs a workflow of the application. */
@Injectable()
export class ImportedFlowVersions {
  constructor(private readonly rows: ImportedRowsRepository) {}

  /** Returns the rows whose workflows exist. Creates workflows that only versions of the experience still refer to. */
  async withFlows(
    { application: { id: applicationId } }: ImportTask,
    bundle: Bundled,
    batch: readonly PlannedRow[],
    problems: Problems,
    by: Author,
    transaction: Transaction,
  ): Promise<readonly PlannedRow[]> {
    if (bundle.holding.table !== FLOW_VERSIONS.table) return batch;
    const ids = [...new Set(batch.map(({ row }) => String(row.flowId)))];
    const classes = await this.rows.flowClasses(applicationId, ids, transaction);
    const forgotten = new Map(
      batch
        .filter(({ row, versionId }) => versionId !== undefined && !classes.has(String(row.flowId)))
        .map((version) => [String(version.row.flowId), deletedFlow(version)]),
    );
    if (forgotten.size > 0) {
      const made = [...forgotten.values()];
      const stored = await this.rows.add(BUNDLED_EXPERIENCE_FLOWS, applicationId, made, by, transaction);
      for (const id of stored) classes.set(id, 'experience');
    }
    return batch.filter(({ about, row }) => {
      const isThere = classes.get(String(row.flowId)) === row.flowClass;
      if (!isThere)
        problems.add({
          ...about,
          message: 'flowVersion.flowId must be the ID of a workflow of the same class',
        });
      return isThere;
    });
  }
}

/** Creates a workflow that is no longer in the development version. */
const deletedFlow = ({ row: { flowId }, resource: { name, description } }: PlannedRow) => ({
  ...EMPTY,
  id: flowId,
  name: typeof name === 'string' && name !== '' ? name.slice(0, MAX_NAME_LENGTH) : 'Workflow',
  ...(typeof description === 'string' ? { description: description.slice(0, MAX_DESCRIPTION_LENGTH) } : {}),
  flowClass: 'experience',
  enabled: true,
  inDevelop: false,
});
