import { Injectable } from '@nestjs/common';
import type { DeviceReach } from '../../../platform/access/principal-data.js';
import { defineJob } from '../../../platform/jobs/job-definition.js';
import { OnJob, type JobContext } from '../../../platform/jobs/on-job.js';
import { DeviceEvents } from '../device-streams/device-events.js';
import type { DeviceSelection } from '../devices/device-selection.js';
import { DeviceCommandsRepository, type Command } from './device-commands.repository.js';

/** Command to more devices than one request can process. */
export interface CommandSending {
  applicationId: string;
  /** Devices that the sender can access, if access is restricted. */
  devices?: DeviceReach;
  selection: DeviceSelection;
  command: Omit<Command, 'time'> & { time: string };
}

export const DEVICE_COMMANDS_SEND = defineJob<CommandSending>('deviceCommands.send', {
  log: ({ applicationId }) => ({ applicationId, operation: 'devices.sendCommand', resourceType: 'device' }),
});

const BATCH = 1_000;

/** Handles the command jobs. */
@Injectable()
export class DeviceCommandsJobs {
  constructor(
    private readonly commands: DeviceCommandsRepository,
    private readonly events: DeviceEvents,
  ) {}

  /** Sends the command in batches. A retry reaches only the devices that did not receive it before. */
  @OnJob(DEVICE_COMMANDS_SEND)
  async send(
    { applicationId, devices, selection, command: { time, ...rest } }: CommandSending,
    { signal }: JobContext,
  ): Promise<void> {
    const command = { ...rest, time: new Date(time) };
    const limits = { limit: BATCH, most: BATCH };
    for (let after: string | null = ''; after !== null;) {
      signal.throwIfAborted();
      const application = { id: applicationId, devices };
      const { last, sent } = await this.commands.sendToSome(application, selection, command, {
        after,
        ...limits,
      });
      this.events.command(sent ?? [], eventOf(command));
      after = last;
    }
  }
}

/** Returns the stream event of a command. */
export function eventOf({ name, payload, time }: Command) {
  return { name, time, ...(payload === null ? {} : { payload: JSON.parse(payload) as unknown }) };
}
