import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import type { Author } from '../../../platform/audit/author.js';
import { Database } from '../../../platform/database/database.js';
import { NotFound, ValidationError } from '../../../lib/errors/errors.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import type { HistoryQuery } from '../../../platform/lists/history-query.js';
import { newId } from '../../../platform/repositories/resource.js';
import { Reply } from '../../../platform/responses/stored-resources.js';
import { MessageThrottle } from '../../../platform/throttle/message-throttle.js';
import { JobEnqueuedResult, Success } from '../../../platform/fields/shared.schemas.js';
import { acceptedTime } from '../device-state/report-time.js';
import { DeviceEvents } from '../device-streams/device-events.js';
import type { DeviceSelection } from '../devices/device-selection.js';
import { MAX_PAYLOAD_BYTES, type SelectingCommand, type SentCommand } from './device-command.schemas.js';
import { DEVICE_COMMANDS_SEND, eventOf } from './device-commands.jobs.js';
import { DeviceCommandsRepository, type Command, type SendResult } from './device-commands.repository.js';

/** Maximum number of devices that receive a command within a request; for more, a job sends it. */
export const MAX_SYNC_DEVICES = 1_000;

/** Sends commands to devices and lists them. */
@Injectable()
export class DeviceCommandsService {
  constructor(
    private readonly commands: DeviceCommandsRepository,
    private readonly events: DeviceEvents,
    private readonly database: Database,
    private readonly jobs: JobsService,
    private readonly throttle: MessageThrottle,
  ) {}

  async send(
    application: ApplicationAccess,
    deviceId: string,
    sent: SentCommand,
    by: Author,
  ): Promise<Success> {
    const command = commandOf('deviceCommand', sent, by);
    // The device may belong to another application, whose commands must not count.
    this.throttle.consume('command', `${application.id}:${deviceId}`);
    if (!(await this.commands.send(application, deviceId, command))) throw new NotFound('Device');
    this.events.command(application.id, [deviceId], eventOf(command));
    return new Success();
  }

  async sendToMany(
    application: ApplicationAccess,
    { deviceIds, deviceTags, deviceQuery, ...sent }: SelectingCommand,
    by: Author,
  ): Promise<Success | Reply<JobEnqueuedResult>> {
    const command = commandOf('multiDeviceCommand', sent, by);
    this.throttle.consume('command', application.id);
    const selection = { deviceIds, deviceTags, deviceQuery };
    const { chosen, sent: reached } = await this.sendAtOnce(application, selection, command);
    if (chosen > MAX_SYNC_DEVICES)
      return new Reply(202, await this.enqueue(application, selection, command, by));
    this.events.command(application.id, reached ?? [], eventOf(command));
    return new Success();
  }

  /** A device query may be slow, so it runs as a search, with its time limit and its concurrency limit. */
  private sendAtOnce(
    application: ApplicationAccess,
    selection: DeviceSelection,
    command: Command,
  ): Promise<SendResult> {
    const limits = { limit: MAX_SYNC_DEVICES + 1, most: MAX_SYNC_DEVICES };
    if (!selection.deviceQuery) return this.commands.sendToSome(application, selection, command, limits);
    const search = { owner: application.ownerId, parameter: 'deviceQuery' };
    return this.database.searchingTransaction(search, (transaction) =>
      this.commands.sendToSome(application, selection, command, limits, transaction),
    );
  }

  private async enqueue(
    { id: applicationId, devices }: ApplicationAccess,
    selection: DeviceSelection,
    { time, ...rest }: Command,
    by: Author,
  ): Promise<JobEnqueuedResult> {
    const sending = { applicationId, devices, selection, command: { ...rest, time: time.toISOString() } };
    const jobId = await this.database.transaction((transaction) =>
      this.jobs.enqueue(transaction, DEVICE_COMMANDS_SEND, sending, by),
    );
    return Object.assign(new JobEnqueuedResult(), { jobId });
  }

  async history(application: ApplicationAccess, deviceId: string, query: HistoryQuery): Promise<object[]> {
    const commands = await this.commands.history(application, deviceId, query);
    return commands.map(({ time, name, payload }) => ({
      time: time.toISOString(),
      name,
      ...(payload === null ? {} : { payload }),
    }));
  }
}

/**
 * Returns the command to store; a time outside the accepted range is replaced with the current time. `body` is the name
 * of the body in messages.
 */
function commandOf(body: string, { name, payload, time }: SentCommand, by: Author): Command {
  const text = payload === undefined || payload === null ? null : JSON.stringify(payload);
  if (Buffer.byteLength(text ?? '') > MAX_PAYLOAD_BYTES)
    throw new ValidationError(`${body}.payload must have at most ${MAX_PAYLOAD_BYTES / 1024} KiB as JSON`);
  return {
    id: newId(),
    name,
    payload: text,
    time: acceptedTime(time, Date.now(), `${body}.time`),
    channel: by.channel,
  };
}
