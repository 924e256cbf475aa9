import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { NotFound } from '../../../lib/errors/errors.js';

/** Virtual button of a version: names for the audit log, the version's ID, and the state of workflow and button. */
export interface FoundButton {
  name: string;
  applicationName: string;
  /** `null` for the development version. */
  flowVersionId: string | null;
  hasVersion: boolean;
  hasButton: boolean;
  isEnabled: boolean;
}

const BUTTON = `SELECT f.name, a.name AS application_name, v.id AS flow_version_id,
    v.id IS NOT NULL OR $3 = 'develop' OR ($3 = 'default' AND f.default_version_id IS NULL) AS has_version,
    coalesce(v.triggers, f.triggers) @> $4::jsonb AS has_button,
    f.enabled AND coalesce(v.enabled, true) AS is_enabled
  FROM flows f JOIN applications a ON a.id = f.application_id
  LEFT JOIN flow_versions v ON v.flow_id = f.id
    AND CASE $3 WHEN 'default' THEN v.id = f.default_version_id ELSE v.version = $3 END
  WHERE f.application_id = $1 AND f.id = $2`;

/** Reads triggers that are virtual buttons. */
@Injectable()
export class VirtualButtonsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Returns the button with a key in the version with a name, `develop` or `default`. Throws `404` if the workflow does
   * not exist.
   */
  async find(applicationId: string, flowId: string, version: string, key: string): Promise<FoundButton> {
    const trigger = JSON.stringify([{ type: 'virtualButton', key }]);
    const [button] = await this.database.rows<FoundButton>(
      prepared(BUTTON, [applicationId, flowId, version, trigger]),
    );
    if (!button) throw new NotFound('Flow');
    return button;
  }
}
