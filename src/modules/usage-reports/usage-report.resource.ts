import { ApiSchema } from '@nestjs/swagger';
import { BooleanField, ChoiceField, DateField, StringField } from '../../platform/fields.js';

/** What a period of a report is, and what a line of it is about. */
export const PERIODS = ['day', 'month'] as const;
export const SUBJECTS = ['application', 'organization'] as const;

@ApiSchema({
  name: 'InstanceReportOptionsPost',
  description: 'What a report on usage is about, and who gets it.',
})
export class UsageReportPost {
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

  @StringField({
    column: false,
    format: 'email',
    maxLength: 1024,
    description: 'Who gets a mail when it has ended; absent, and without `callbackUrl`, the user who asks.',
    example: 'ada@example.com',
  })
  email?: string;

  @StringField({
    column: false,
    format: 'uri',
    maxLength: 1024,
    description: 'What gets a signed `POST` when it has ended: https, and public.',
    example: 'https://example.com/usage',
  })
  callbackUrl?: string;
}
