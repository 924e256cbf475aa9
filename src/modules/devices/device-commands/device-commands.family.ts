import type { Family } from '../../../platform/families.js';
import { DEVICE_COMMANDS, DeviceCommand } from './device-command.entity.js';
import { DEVICE_COMMANDS_SEND } from './device-commands.jobs.js';
import { DeviceCommandsModule } from './device-commands.module.js';

/** Commands to devices and their history. */
export const DEVICE_COMMANDS_FAMILY: Family = {
  modules: [DeviceCommandsModule],
  entities: [DeviceCommand],
  holdings: [DEVICE_COMMANDS],
  neverBundled: {
    device_commands: 'History.',
  },
  jobs: [DEVICE_COMMANDS_SEND],
};
