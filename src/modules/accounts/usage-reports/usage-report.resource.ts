import { ApiSchema } from '@nestjs/swagger';
import { ListenersBody } from '../../../platform/callbacks/listener-fields.js';
import { BooleanField, ChoiceField, DateField } from '../../../platform/fields/fields.js';

/** Length of a period, and type of resource per line. */
export const PERIODS = ['day', 'month'] as const;
export const SUBJECTS = ['application', 'organization'] as const;

@ApiSchema({
  name: 'InstanceReportOptionsPost',
  description: 'Content of a usage report, and recipients of the notification.',
})
export class UsageReportPost extends ListenersBody {
  @DateField({
    column: false,
    description:
      'First day of the report, in UTC, at most 400 days ago. Defaults to the first day of the current month.',
    example: '2026-06-01T00:00:00.000Z',
  })
  start?: string;

  @DateField({ column: false, description: 'Last day of the report, in UTC. Defaults to the current day.' })
  end?: string;

  @ChoiceField(PERIODS, { column: false, description: 'Length of a period in the report.', default: 'month' })
  dateGroupBy?: (typeof PERIODS)[number];

  @ChoiceField(SUBJECTS, {
    column: false,
    description: 'Type of resource to which a line refers.',
    default: 'organization',
  })
  resourceGroupBy?: (typeof SUBJECTS)[number];

  @BooleanField({
    column: false,
    description: 'Whether to include resources owned by users: their applications, or a line for each user.',
    default: false,
  })
  includeSandbox?: boolean;
}
