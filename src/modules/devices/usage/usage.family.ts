import type { Family } from '../../../platform/families.js';
import { HistoricalSummaryRow } from './historical-summary.entity.js';
import { APPLICATION_PAYLOAD_SUMS, ApplicationPayloadSum, OwnerPayloadSum } from './payload-sum.entity.js';
import { UsageModule } from './usage.module.js';

/** Payload counts of applications and owners over time. */
export const USAGE_FAMILY: Family = {
  modules: [UsageModule],
  entities: [ApplicationPayloadSum, HistoricalSummaryRow, OwnerPayloadSum],
  holdings: [APPLICATION_PAYLOAD_SUMS],
  neverBundled: {
    application_payload_sums: 'Billing data of this application.',
  },
};
