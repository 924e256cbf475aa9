import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../platform/access/request.js';
import { writeEntry } from '../../platform/audit/audit.js';
import type { Author } from '../../platform/audit/author.js';
import { Database } from '../../platform/database/database.js';
import { prepared } from '../../platform/database/statements.js';
import { NotFound, ValidationError } from '../../platform/errors/errors.js';
import { RequestThrottle } from '../../platform/throttle/request-throttle.js';
import { Success } from '../../platform/shared.schemas.js';
import { flowEntry } from './flow-entry.js';
import { FlowRunsService } from './flow-runs.service.js';
import type { VirtualButtonPress } from './virtual-button-press.js';

/** The workflow with the version that is meant, whether there is such a one, whether it has the button, and whether it runs. */
const BUTTON = `SELECT f.name, a.name, v.id,
    v.id IS NOT NULL OR $3 = 'develop' OR ($3 = 'default' AND f.default_version_id IS NULL),
    coalesce(v.triggers, f.triggers) @> $4::jsonb, f.enabled AND coalesce(v.enabled, true)
  FROM flows f JOIN applications a ON a.id = f.application_id
  LEFT JOIN flow_versions v ON v.flow_id = f.id
    AND CASE $3 WHEN 'default' THEN v.id = f.default_version_id ELSE v.version = $3 END
  WHERE f.application_id = $1 AND f.id = $2`;

/** The virtual buttons of workflows. */
@Injectable()
export class VirtualButtonsService {
  constructor(
    private readonly database: Database,
    private readonly throttle: RequestThrottle,
    private readonly runs: FlowRunsService,
  ) {}

  /** Asks for a run, unless the workflow or the version is disabled: a press of what is off does nothing. */
  async press(
    application: ApplicationAccess,
    flowId: string,
    press: VirtualButtonPress,
    by: Author,
  ): Promise<Success> {
    const { key, payload = {}, meta, flowVersion = 'default', deviceId, deploymentId } = press;
    const button = JSON.stringify([{ type: 'virtualButton', key }]);
    const [row] = await this.database.run(prepared(BUTTON, [application.id, flowId, flowVersion, button]));
    if (!row) throw new NotFound('Flow');
    const [name, applicationName, flowVersionId, hasVersion, hasButton, runs] = row;
    if (hasVersion === 'f')
      throw new ValidationError('virtualButtonPress.flowVersion is not a version of the workflow');
    if (hasButton === 'f')
      throw new ValidationError('virtualButtonPress.key is not a virtual button of the version');
    await this.throttle.take(`button:${flowId}:${key}`);
    const run = {
      applicationId: application.id,
      flowId,
      flowVersionId: flowVersionId ?? null,
      deviceId: deviceId?.toLowerCase(),
      trigger: {
        type: 'virtualButton',
        key,
        data: payload,
        sourceId: by.id,
        meta,
        deploymentId: deploymentId?.toLowerCase(),
      },
    };
    return this.database.transaction(async (transaction) => {
      if (runs === 't') await this.runs.request([run], transaction);
      const flow = { flowId, name: name!, applicationName: applicationName! };
      await writeEntry(transaction.manager, by, flowEntry(application, flow));
      return new Success();
    });
  }
}
