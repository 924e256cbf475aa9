import type { Family } from '../../../platform/families.js';
import { DATA_EXPORT } from './data-export.job.js';
import { DATA_REMOVAL } from './data-removal.job.js';
import { DeviceExportsModule } from './device-exports.module.js';
import { EXPORT_TURNS, ExportTurn } from './export-turn.entity.js';
import { LIST_EXPORT } from './list-export.job.js';
import { PAYLOADS_EXPORT } from './payloads-export.job.js';

/** Exports of devices and their data, and deletion of data. */
export const DEVICE_EXPORTS_FAMILY: Family = {
  modules: [DeviceExportsModule],
  entities: [ExportTurn],
  holdings: [EXPORT_TURNS],
  neverBundled: {
    export_turns: 'Specific to this application.',
  },
  jobs: [DATA_EXPORT, DATA_REMOVAL, LIST_EXPORT, PAYLOADS_EXPORT],
};
