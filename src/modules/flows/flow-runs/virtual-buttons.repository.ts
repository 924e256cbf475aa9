import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { NotFound } from '../../../lib/errors/errors.js';

/** A workflow by its name, the version of it that is meant, and what of its button is to be known. */
export interface FoundButton {
  name: string;
  applicationName: string;
  /** Null for the one that is being developed. */
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

/** The triggers of workflows that are virtual buttons. */
@Injectable()
export class VirtualButtonsRepository {
  constructor(private readonly database: Database) {}

  /** The button of that key, in the version of that name, `develop`, or `default` for the one that runs; 404 without the workflow. */
  async find(applicationId: string, flowId: string, version: string, key: string): Promise<FoundButton> {
    const trigger = JSON.stringify([{ type: 'virtualButton', key }]);
    const [button] = await this.database.rows<FoundButton>(
      prepared(BUTTON, [applicationId, flowId, version, trigger]),
    );
    if (!button) throw new NotFound('Flow');
    return button;
  }
}
