import type { Family } from '../../../platform/families.js';
import { FlowSchedulesModule } from './flow-schedules.module.js';

/** Timers of workflows. */
export const FLOW_SCHEDULES_FAMILY: Family = {
  modules: [FlowSchedulesModule],
};
