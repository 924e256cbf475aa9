import { ApiSchema } from '@nestjs/swagger';
import type { JsonSchema } from '../../../platform/fields/fields.js';
import { AliasField, IdField, JsonField, StringField } from '../../../platform/fields/fields.js';
import { pageOf } from '../../../platform/lists/page.js';
import type { Steps } from './usage.service.js';
import { DEVICE_COUNTS, NOTEBOOK_MINUTE_COUNTS, PAYLOAD_COUNTS_BREAKDOWN } from './usage.schemas.js';

/** Counts that a summary of a period can contain. */
export const PERIOD_COUNTS = ['payloadCounts', 'deviceCounts', 'notebookMinuteCounts'] as const;
export type PeriodCount = (typeof PERIOD_COUNTS)[number];

const SUMMARY: JsonSchema = {
  title: 'PeriodCounts',
  type: 'object',
  description: 'Daily usage of the application. Contains only the requested counts.',
  properties: {
    payloadCounts: PAYLOAD_COUNTS_BREAKDOWN,
    deviceCounts: DEVICE_COUNTS,
    notebookMinuteCounts: NOTEBOOK_MINUTE_COUNTS,
  },
};

@ApiSchema({ name: 'PeriodSummary', description: 'Usage of an application within a time range.' })
export class PeriodSummary {
  @IdField({ column: false, required: true, description: 'Unique ID of the application.' })
  id: string;

  @AliasField('application')
  applicationId: string;

  @StringField({
    column: false,
    required: true,
    minLength: 1,
    maxLength: 255,
    description: 'Display name of the application.',
    example: 'Pump station',
  })
  name: string;

  @JsonField(SUMMARY, {
    column: false,
    required: true,
    description: 'Daily usage of the application.',
    example: {},
  })
  summary: Partial<Record<PeriodCount, Steps>>;
}

export const PeriodSummaries = pageOf(PeriodSummary, 'PeriodSummaries');
