import { Injectable } from '@nestjs/common';
import type { Received } from '../../flows/flow-runs/device-runs.repository.js';
import { FlowRunsService } from '../../flows/flow-runs/flow-runs.service.js';

/** Of a device, what decides which workflows listen to it. */
export interface TriggeringDevice {
  id: string;
  applicationId: string;
  tags: readonly { key: string; value: string }[];
}

/** States that a device reported in one request. */
export interface ReportedStates {
  device: TriggeringDevice;
  /** What was taken of each, by attribute; of one whose values were all refused, nothing. */
  states: readonly Received[];
  /** Whether they came as a list, which triggers may want or not. */
  isBatch: boolean;
  /** The version of workflows that they ask for. */
  flowVersion?: string;
}

/** Something that happened to a device at a time. */
export interface DeviceMoment {
  device: TriggeringDevice;
  time: Date;
  /** What workflows get of it. */
  data: object;
}

const MOST_TAGS = 100;

/**
 * Has workflows run that listen to devices: by the device's id, and by its tags. However much is handed over at once, it is
 * one statement. A workflow runs once for each of its triggers that hears the device.
 */
@Injectable()
export class DeviceTriggers {
  constructor(private readonly runs: FlowRunsService) {}

  /** Devices reported their states. */
  state(reports: readonly ReportedStates[]): Promise<void> {
    return this.runs.fireForDevices(
      reports.map(({ device, states, isBatch, flowVersion = 'default' }) => ({
        ...firedBy(device, [{ type: 'deviceId', key: device.id }, ...byTags('deviceTag', device)]),
        version: flowVersion,
        received: states,
        together: isBatch,
      })),
    );
  }

  /** Devices connected. */
  connect(moments: readonly DeviceMoment[]): Promise<void> {
    return this.happened(moments, (device) => [
      { type: 'deviceIdConnect', key: device.id },
      ...byTags('deviceTagConnect', device),
    ]);
  }

  /** Devices lost or ended their connection. */
  disconnect(moments: readonly DeviceMoment[]): Promise<void> {
    return this.happened(moments, (device) => [
      { type: 'deviceIdDisconnect', key: device.id },
      ...byTags('deviceTagDisconnect', device),
    ]);
  }

  /** Devices were created. */
  created(moments: readonly DeviceMoment[]): Promise<void> {
    return this.happened(moments, (device) => byTags('deviceCreate', device));
  }

  private happened(
    moments: readonly DeviceMoment[],
    triggersOf: (device: TriggeringDevice) => Trigger[],
  ): Promise<void> {
    return this.runs.fireForDevices(
      moments.map(({ device, time, data }) => ({
        ...firedBy(device, triggersOf(device)),
        version: 'default',
        received: [{ time, data }],
        together: false,
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

/** Triggers by tag are written `key/value`, and match any where either is empty. */
function byTags(type: string, { tags }: TriggeringDevice): Trigger[] {
  const keys = tags
    .slice(0, MOST_TAGS)
    .flatMap(({ key, value }) => [`${key}/${value}`, `${key}/`, `/${value}`]);
  return [...new Set(['/', ...keys])].map((key) => ({ type, key }));
}
