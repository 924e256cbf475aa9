import { ApiSchema } from '@nestjs/swagger';
import { ListenersBody } from '../../../platform/callbacks/asked-listeners.js';
import { BooleanField, ChoiceField, DateField } from '../../../platform/fields/fields.js';

/** What a period of a report is, and what a line of it is about. */
export const PERIODS = ['day', 'month'] as const;
export const SUBJECTS = ['application', 'organization'] as const;

@ApiSchema({
  name: 'InstanceReportOptionsPost',
  description: 'What a report on usage is about, and who gets it.',
})
export class UsageReportPost extends ListenersBody {
  @DateField({
    column: false,
    description: 'From which day on, by UTC, at most 400 days back; absent, from the first of the month.',
    example: '2026-06-01T00:00:00.000Z',
  })
  start?: string;

  @DateField({ column: false, description: 'Up to which day, by UTC; absent, up to this one.' })
  end?: string;

  @ChoiceField(PERIODS, { column: false, description: 'What a period is.', default: 'month' })
  dateGroupBy?: (typeof PERIODS)[number];

  @ChoiceField(SUBJECTS, { column: false, description: 'What a line is about.', default: 'organization' })
  resourceGroupBy?: (typeof SUBJECTS)[number];

  @BooleanField({
    column: false,
    description:
      'Whether what users own themselves is in it too: their applications, or a line for each of them.',
    default: false,
  })
  includeSandbox?: boolean;
}
