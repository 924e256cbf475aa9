import { Injectable } from '@nestjs/common';
import { Config } from '../../../config/config.js';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { writeEntry } from '../../../platform/audit/audit.js';
import type { Author } from '../../../platform/audit/author.js';
import { changedBy, createdBy } from '../../../platform/repositories/authored.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { FlowsImportRepository } from './flows-import.repository.js';
import type { FlowsImportPost, FlowsImportResult } from './flows-import.resource.js';
import { importOf, referencedFlows, rowsOf } from './flows-import.rules.js';
import { FlowsRepository } from './flows.repository.js';

/** Transfers workflows and their versions between applications. */
@Injectable()
export class FlowsImportService {
  constructor(
    private readonly flows: FlowsRepository,
    private readonly rows: FlowsImportRepository,
    private readonly database: Database,
    private readonly config: Config,
  ) {}

  /** Imports all items or nothing. The number of statements does not depend on the number of items. */
  import(application: ApplicationAccess, post: FlowsImportPost, by: Author): Promise<FlowsImportResult> {
    const imported = importOf(post);
    const { flows, versions, flowIds, versionIds } = imported;
    const others = referencedFlows(imported);
    return this.database.transaction(async (transaction) => {
      if (flows.length > 0) await this.rows.assertWithinLimit(application, flows.length, transaction);
      const existing = await this.rows.existing(application.id, others, transaction);
      const rows = rowsOf(imported, existing, this.config.TOPIC_PREFIX);
      const now = new Date();
      const dates = { creationDate: now, lastUpdated: now };
      const common = { applicationId: application.id, ...dates, ...createdBy(by), ...changedBy(by) };
      const whole = (row: object) => ({ ...common, ...row });
      await this.rows.add('flows', rows.flows.map(whole), transaction);
      await this.rows.add('flow_versions', rows.versions.map(whole), transaction);
      await this.log(application, by, transaction);
      return {
        flows: await this.rows.flows(idsOf(flows), transaction),
        flowVersions: await this.rows.versions(idsOf(versions), transaction),
        importedFlowIdMap: Object.fromEntries(flowIds),
        importedVersionIdMap: Object.fromEntries(versionIds),
      };
    });
  }

  private async log(
    { id, ownerId, ownerType }: ApplicationAccess,
    by: Author,
    transaction: Transaction,
  ): Promise<void> {
    if (ownerType !== 'organization') return;
    const primary = { type: 'Application', id, name: await this.flows.applicationName(id, transaction) };
    await writeEntry(transaction.manager, by, { organization: { id: ownerId, primary } });
  }
}

const idsOf = (items: readonly { id: string }[]) => items.map(({ id }) => id);
