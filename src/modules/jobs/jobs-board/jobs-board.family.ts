import type { Family } from '../../../platform/families.js';
import { JobsBoardModule } from './jobs-board.module.js';

/** Read-only view of the queue for operators. */
export const JOBS_BOARD_FAMILY: Family = {
  modules: [JobsBoardModule],
};
