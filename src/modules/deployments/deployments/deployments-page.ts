import type { Type } from '@nestjs/common';
import { IdField, StringField } from '../../../platform/fields/fields.js';
import { pageOf } from '../../../platform/lists/page.js';

/** A page of deployments, with what the list was asked for. `name` is that of the part of the page that all lists have. */
export function deploymentsPageOf<T>(item: Type<T>, name: string) {
  class DeploymentsPage extends pageOf(item, name, ['applicationId'], ['totalCount']) {
    @IdField({ column: false, description: 'The device, where one was asked for.' })
    deviceId?: string;

    @IdField({ column: false, description: 'The workflow, where one was asked for.' })
    flowId?: string;

    @StringField({
      column: false,
      minLength: 1,
      maxLength: 255,
      description: 'The version, where one was asked for.',
      example: '1.4.0',
    })
    version?: string;
  }
  return DeploymentsPage;
}
