import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { NotFound } from '../../../lib/errors/errors.js';
import { buttonSql } from './virtual-button.columns.js';

/** Virtual button of a version: names for the audit log, the version's ID, the state of workflow and button, and its payload. */
export interface FoundButton {
  name: string;
  applicationName: string;
  /** `null` for the development version. */
  flowVersionId: string | null;
  hasVersion: boolean;
  hasButton: boolean;
  isEnabled: boolean;
  /** JSON of the payload of presses without one, as its author wrote it. */
  ownPayload: string | null;
}

const BUTTON = buttonSql({ applicationId: '$1', flowId: '$2', version: '$3', key: '$4' });

/** Reads triggers that are virtual buttons. */
@Injectable()
export class VirtualButtonsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Returns the button with a key in the version with a name, `develop` or `default`. Throws `404` if the workflow does
   * not exist.
   */
  async find(applicationId: string, flowId: string, version: string, key: string): Promise<FoundButton> {
    const [button] = await this.database.rows<FoundButton>(
      prepared(BUTTON, [applicationId, flowId, version, key]),
    );
    if (!button) throw new NotFound('Flow');
    return button;
  }
}
