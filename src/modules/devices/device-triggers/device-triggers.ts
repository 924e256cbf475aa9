import { Injectable } from '@nestjs/common';
import { DEVICE_CONNECTION, DEVICE_CREATION, DEVICE_STATE } from '../../../workflows/runs/causes.js';
import { Firings } from '../../../workflows/runs/fire.js';
import { byTags, type TriggeringDevice } from './triggering-device.js';

/** Accepted values of one state. */
export interface AnnouncedState {
  time: Date;
  data: object;
  meta?: unknown;
}

/** States of one report of a device, to announce to workflows. */
export interface AnnouncedStates {
  device: TriggeringDevice;
  /** Accepted values of each state, by attribute; empty if all of its values were rejected. */
  states: readonly AnnouncedState[];
  /** Whether the states were sent as an array; triggers can require or exclude this. */
  isBatch: boolean;
  /** Requested version of the workflows. */
  flowVersion?: string;
  /** ID of the gateway that reported for the device. */
  gatewayId?: string;
}

/** Event of a device at one time. */
export interface DeviceMoment {
  device: TriggeringDevice;
  time: Date;
  /** Data passed to the workflows. */
  data: object;
}

/**
 * Announces states and other events of devices to the workflows that they trigger, by device ID or by tag. All events
 * of a call are processed in one statement. A workflow runs once for each trigger that matches the device.
 */
@Injectable()
export class DeviceTriggers {
  constructor(private readonly firings: Firings) {}

  /** Announces stored states. */
  state(reports: readonly AnnouncedStates[]): Promise<void> {
    const firings = reports.map(({ device, states, isBatch, flowVersion: version, gatewayId }) => ({
      applicationId: device.applicationId,
      deviceId: device.id,
      triggers: stateTriggersOf(device).map((trigger) => ({ ...trigger, version })),
      items: states.map((state) => ({
        ...itemOf(gatewayId ?? device.id, state),
        time: state.time,
        together: isBatch,
      })),
    }));
    return this.firings.fire(DEVICE_STATE, firings);
  }

  /** Announces a report that is no state, to the triggers that accept those. */
  invalidState(device: TriggeringDevice, original: string, gatewayId?: string): Promise<void> {
    const time = new Date();
    // The database accepts no NUL characters.
    const text = original.replaceAll('\0', '\u{fffd}');
    const given = JSON.stringify({ sourceId: gatewayId ?? device.id, time, data: null, original: text });
    return this.firings.fire(DEVICE_STATE, [
      {
        applicationId: device.applicationId,
        deviceId: device.id,
        triggers: stateTriggersOf(device),
        items: [{ given, time, together: false }],
      },
    ]);
  }

  /** Announces connections. */
  connect(moments: readonly DeviceMoment[]): Promise<void> {
    const firings = moments.map((moment) => firedAt(moment, connectionOf('Connect', moment.device)));
    return this.firings.fire(DEVICE_CONNECTION, firings);
  }

  /** Announces disconnections. */
  disconnect(moments: readonly DeviceMoment[]): Promise<void> {
    const firings = moments.map((moment) => firedAt(moment, connectionOf('Disconnect', moment.device)));
    return this.firings.fire(DEVICE_CONNECTION, firings);
  }

  /** Announces new devices. */
  created(moments: readonly DeviceMoment[]): Promise<void> {
    const firings = moments.map((moment) => firedAt(moment, byTags('deviceCreate', moment.device)));
    return this.firings.fire(DEVICE_CREATION, firings);
  }
}

interface Trigger {
  type: string;
  key: string;
}

const stateTriggersOf = (device: TriggeringDevice): Trigger[] => [
  { type: 'deviceId', key: device.id },
  ...byTags('deviceTag', device),
];

const itemOf = (sourceId: string, { time, data, meta }: AnnouncedState) => ({
  given: JSON.stringify({ sourceId, time, data, meta }),
});

const firedAt = ({ device, ...moment }: DeviceMoment, triggers: readonly Trigger[]) => ({
  applicationId: device.applicationId,
  deviceId: device.id,
  triggers,
  items: [itemOf(device.id, moment)],
});

const connectionOf = (name: 'Connect' | 'Disconnect', device: TriggeringDevice): Trigger[] => [
  { type: `deviceId${name}`, key: device.id },
  ...byTags(`deviceTag${name}`, device),
];
