import type { Type } from '@nestjs/common';
import { IdField, StringField } from '../../../platform/fields/fields.js';
import { pageOf } from '../../../platform/lists/page.js';

/**
 * Returns the schema of a page of deployments with its filters. `name` is the name of the common part of all list
 * pages.
 */
export function deploymentsPageOf<T>(item: Type<T>, name: string) {
  class DeploymentsPage extends pageOf(item, name, ['applicationId'], ['totalCount']) {
    @IdField({ column: false, description: 'Device ID of the query, if any.' })
    deviceId?: string;

    @IdField({ column: false, description: 'Workflow ID of the query, if any.' })
    flowId?: string;

    @StringField({
      column: false,
      minLength: 1,
      maxLength: 255,
      description: 'Version of the query, if any.',
      example: '1.4.0',
    })
    version?: string;
  }
  return DeploymentsPage;
}
