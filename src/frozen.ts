import {
  FROZEN_ENDPOINT_GROUPS,
  FROZEN_ENDPOINTS,
} from './modules/experience/experience-endpoints/endpoint-frozen.columns.js';
import { FROZEN_VIEWS } from './modules/experience/experience-views/experience-view.resource.js';
import { FROZEN_FLOWS } from './modules/flows/flows/experience-flows.columns.js';
import type { Frozen } from './platform/holdings/frozen.js';

/** Resources stored with experience versions, in the order in which they are restored. */
export const frozen: readonly Frozen[] = [
  FROZEN_VIEWS,
  FROZEN_ENDPOINTS,
  FROZEN_ENDPOINT_GROUPS,
  FROZEN_FLOWS,
];
