import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { RunsIn } from '../../../platform/processes/roles.js';
import type { MailRecipient } from './mail-recipient.js';

/** Workflow that listens to an address, and its default version. */
export interface MailTrigger {
  applicationId: string;
  flowId: string;
  flowVersionId: string | null;
}

const FIND = `SELECT f.application_id, f.id AS flow_id, g.flow_version_id FROM flow_triggers g
  JOIN LATERAL (
    SELECT f.id, f.application_id FROM flows f JOIN applications a ON a.id = f.application_id AND a.deleted_at IS NULL
    LEFT JOIN flow_versions v ON v.id = g.flow_version_id
    WHERE f.id = g.flow_id AND f.flow_class = 'cloud' AND f.enabled AND (g.flow_version_id IS NULL OR v.enabled)
    OFFSET 0) f ON true
  WHERE g.flow_id = $1 AND g.version = 'default' AND g.type = 'inboundEmail' AND g.key = $2 LIMIT 1`;

/** Reads the triggers that receive emails. */
@Injectable()
@RunsIn('api')
export class MailTriggersRepository {
  constructor(private readonly database: Database) {}

  /** Returns the workflow that listens to an address, or `undefined`. */
  async find({ flowId, key }: MailRecipient): Promise<MailTrigger | undefined> {
    const [trigger] = await this.database.rows<MailTrigger>(prepared(FIND, [flowId, key]));
    return trigger;
  }
}
