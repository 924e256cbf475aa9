import { Injectable } from '@nestjs/common';
import type { Received } from '../../flows/flow-runs/device-runs.repository.js';
import { FlowRunsService } from '../../flows/flow-runs/flow-runs.service.js';

/** Properties of a device that determine which workflows it triggers. */
export interface TriggeringDevice {
  id: string;
  applicationId: string;
  tags: readonly { key: string; value: string }[];
}

/** States of one report of a device, to announce to workflows. */
export interface AnnouncedStates {
  device: TriggeringDevice;
  /** Accepted values of each state, by attribute; empty if all of its values were rejected. */
  states: readonly Received[];
  /** Whether the states were sent as an array; triggers can require or exclude this. */
  isBatch: boolean;
  /** Requested version of the workflows. */
  flowVersion?: string;
}

/** Event of a device at one time. */
export interface DeviceMoment {
  device: TriggeringDevice;
  time: Date;
  /** Data passed to the workflows. */
  data: object;
}

const MAX_TAGS = 100;

/**
 * Announces states and other events of devices to the workflows that they trigger, by device ID or by tag. All events
 * of a call are processed in one statement. A workflow runs once for each trigger that matches the device.
 */
@Injectable()
export class DeviceTriggers {
  constructor(private readonly runs: FlowRunsService) {}

  /** Announces stored states. */
  state(reports: readonly AnnouncedStates[]): Promise<void> {
    return this.runs.fireForDevices(
      reports.map(({ device, states, isBatch, flowVersion = 'default' }) => ({
        ...firedBy(device, [{ type: 'deviceId', key: device.id }, ...byTags('deviceTag', device)]),
        version: flowVersion,
        received: states,
        isBatch,
      })),
    );
  }

  /** Announces connections. */
  connect(moments: readonly DeviceMoment[]): Promise<void> {
    return this.announce(moments, (device) => [
      { type: 'deviceIdConnect', key: device.id },
      ...byTags('deviceTagConnect', device),
    ]);
  }

  /** Announces disconnections. */
  disconnect(moments: readonly DeviceMoment[]): Promise<void> {
    return this.announce(moments, (device) => [
      { type: 'deviceIdDisconnect', key: device.id },
      ...byTags('deviceTagDisconnect', device),
    ]);
  }

  /** Announces new devices. */
  created(moments: readonly DeviceMoment[]): Promise<void> {
    return this.announce(moments, (device) => byTags('deviceCreate', device));
  }

  private announce(
    moments: readonly DeviceMoment[],
    triggersOf: (device: TriggeringDevice) => Trigger[],
  ): Promise<void> {
    return this.runs.fireForDevices(
      moments.map(({ device, time, data }) => ({
        ...firedBy(device, triggersOf(device)),
        version: 'default',
        received: [{ time, data }],
        isBatch: false,
      })),
    );
  }
}

interface Trigger {
  type: string;
  key: string;
}

const firedBy = ({ id, applicationId }: TriggeringDevice, triggers: readonly Trigger[]) => ({
  applicationId,
  deviceId: id,
  triggers,
});

/** Returns the triggers by tag, in the form `key/value`; an empty part matches any. */
function byTags(type: string, { tags }: TriggeringDevice): Trigger[] {
  const keys = tags
    .slice(0, MAX_TAGS)
    .flatMap(({ key, value }) => [`${key}/${value}`, `${key}/`, `/${value}`]);
  return [...new Set(['/', ...keys])].map((key) => ({ type, key }));
}
