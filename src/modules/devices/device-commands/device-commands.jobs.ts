import { Injectable } from '@nestjs/common';
import type { DeviceReach } from '../../../platform/access/principal.js';
import { defineJob } from '../../../platform/jobs/job-definition.js';
import { OnJob, type JobContext } from '../../../platform/jobs/on-job.js';
import { DeviceEvents } from '../device-streams/device-events.js';
import type { DeviceSelection } from '../devices/device-selection.js';
import { DeviceCommandsRepository, type Command } from './device-commands.repository.js';

/** A command to more devices than are done within a request. */
export interface CommandSending {
  applicationId: string;
  /** The devices that whoever sends it reaches, where these are not all. */
  devices?: DeviceReach;
  selection: DeviceSelection;
  command: Omit<Command, 'time'> & { time: string };
}

export const DEVICE_COMMANDS_SEND = defineJob<CommandSending>('deviceCommands.send', {
  log: ({ applicationId }) => ({ applicationId, operation: 'devices.sendCommand', resourceType: 'device' }),
});

const BATCH = 1_000;

/** What is done for commands after the request. */
@Injectable()
export class DeviceCommandsJobs {
  constructor(
    private readonly commands: DeviceCommandsRepository,
    private readonly events: DeviceEvents,
  ) {}

  /** Begun again it reaches those that it did not reach. */
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

/** A command as streams tell of it. */
export function eventOf({ name, payload, time }: Command) {
  return { name, time, ...(payload === null ? {} : { payload: JSON.parse(payload) as unknown }) };
}
