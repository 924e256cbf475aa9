import type { ArchiveConfig } from '../../applications/applications/application.resource.js';
import type { SelectedDevices } from '../../devices/device-exports/exported-devices.repository.js';
import { dayText } from './archive-days.js';
import type { SelectedTables } from './archived-applications.repository.js';

/**
 * Returns the object keys for a day, or for a full archive. Keys are deterministic, so repeating an archive replaces
 * objects.
 */
export function keysOf(day?: number) {
  const folder = day === undefined ? 'full' : dayText(day);
  return {
    events: `${folder}/events.csv`,
    device: (id: string): string => `${folder}/${id}.csv`,
    table: (id: string): string => `${folder}/data-tables/${id}.csv`,
  };
}

/** Returns the devices that the settings select. */
export function devicesOf(config: ArchiveConfig): Pick<SelectedDevices, 'selection' | 'except'> {
  const { mode = 'all', deviceIds, deviceTags } = config;
  const named = { deviceIds, deviceTags };
  if (mode === 'whitelist') return { selection: named };
  return { selection: { deviceQuery: {} }, ...(mode === 'blacklist' ? { except: named } : {}) };
}

/** Returns the data tables that the settings select. */
export function tablesOf(config: ArchiveConfig): SelectedTables {
  const { dataTablesMode = 'all', dataTableIds = [] } = config;
  const ids = dataTableIds.map((id) => id.toLowerCase());
  if (dataTablesMode === 'whitelist') return { only: ids };
  return dataTablesMode === 'blacklist' ? { except: ids } : {};
}
