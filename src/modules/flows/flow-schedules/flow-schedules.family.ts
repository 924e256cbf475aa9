import type { Family } from '../../../platform/families.js';
import { FlowSchedulesModule } from './flow-schedules.module.js';

/** Timers of workflows, and presses that they schedule. */
export const FLOW_SCHEDULES_FAMILY: Family = {
  modules: [FlowSchedulesModule],
};
