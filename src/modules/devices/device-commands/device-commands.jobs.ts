import { Injectable } from '@nestjs/common';
import type { DeviceReach } from '../../../platform/access/principal-data.js';
import { Database } from '../../../platform/database/database.js';
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

/** Last device of the batches that earlier attempts have processed. */
interface SendingState {
  after: string;
}

/** Handles the command jobs. */
@Injectable()
export class DeviceCommandsJobs {
  constructor(
    private readonly commands: DeviceCommandsRepository,
    private readonly events: DeviceEvents,
    private readonly database: Database,
  ) {}

  /**
   * Sends the command in batches. A retry continues after the last batch and reaches only devices that did not receive
   * the command before.
   */
  @OnJob(DEVICE_COMMANDS_SEND)
  async send(
    { applicationId, devices, selection, command: { time, ...rest } }: CommandSending,
    job: JobContext,
  ): Promise<void> {
    const command = { ...rest, time: new Date(time) };
    const limits = { limit: BATCH, most: BATCH };
    for (let after: string | null = (job.state as SendingState | undefined)?.after ?? ''; after !== null;) {
      job.signal.throwIfAborted();
      const application = { id: applicationId, devices };
      const { last, sent } = await this.commands.sendToSome(application, selection, command, {
        after,
        ...limits,
      });
      this.events.command(applicationId, sent ?? [], eventOf(command));
      after = last;
      if (after !== null) await this.saveState(job, { after });
    }
  }

  private saveState(job: JobContext, state: SendingState): Promise<void> {
    return this.database.transaction((transaction) => job.saveState(state, transaction));
  }
}

/** Returns the stream event of a command. */
export function eventOf({ name, payload, time }: Command) {
  return { name, time, ...(payload === null ? {} : { payload: JSON.parse(payload) as unknown }) };
}
