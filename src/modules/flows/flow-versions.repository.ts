import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { inApplication } from '../../platform/audit/audit.js';
import { Database } from '../../platform/database/database.js';
import { ScopedRepository } from '../../platform/repository.js';
import { FLOW_VERSION_COMPUTED } from './flow-columns.js';
import { FlowVersion } from './flow-version.resource.js';

const IN_APPLICATION = inApplication('Flow');
/** A log tells of versions by their workflow. */
const AUDITED = {
  ...IN_APPLICATION,
  join: `JOIN flows w ON w.id = t.flow_id ${IN_APPLICATION.join}`,
  secondary: { type: 'Flow', id: 'w.id', name: 'w.name' },
};

/** The rows of versions of workflows. */
@Injectable()
export class FlowVersionsRepository extends ScopedRepository<FlowVersion> {
  constructor(@InjectRepository(FlowVersion) rows: Repository<FlowVersion>, database: Database) {
    super(rows, database, {
      table: 'flow_versions',
      title: 'Flow version',
      scope: ['applicationId', 'flowId'],
      taken: { flow_versions_name: 'flowVersion.version is not available' },
      computed: FLOW_VERSION_COMPUTED,
      audited: AUDITED,
      count: 'versionCount',
    });
  }
}
