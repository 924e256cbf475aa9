import { DevicePointsRepository } from '../../src/modules/devices/device-state/device-points.repository.js';
import { Device } from '../../src/modules/devices/devices/device.resource.js';
import type { TestApp } from '../setup/app.js';
import { makeDevice as makeAnyDevice } from './device-tokens.js';
import type { PlainPoint } from './plain-series.js';

/** Creates a device with an attribute of each data type that points support, or with the given attributes. */
export async function makeDevice(
  test: TestApp,
  applicationId: string,
  token: string,
  more: object = {},
): Promise<{ id: string; applicationId: string; name: string }> {
  const attributes = [
    { name: 'pressure', dataType: 'number' },
    { name: 'open', dataType: 'boolean' },
    { name: 'mode', dataType: 'string' },
    { name: 'place', dataType: 'gps' },
  ];
  return makeAnyDevice(test, token, applicationId, { attributes, ...more });
}

/** Stores points of a device as one report would, for any time. */
export async function storePoints(
  test: TestApp,
  { id, applicationId }: { id: string; applicationId: string },
  points: readonly PlainPoint[],
): Promise<void> {
  const { attributeNumbers } = await test.dataSource.getRepository(Device).findOneByOrFail({ id });
  const numbered = points.map(({ attribute, time, value }) => ({
    attribute: attributeNumbers[attribute]!,
    time,
    value,
  }));
  const report = { applicationId, deviceId: id, points: numbered, payloads: 1, bytes: 1, channel: 'rest' };
  await test.app.get(DevicePointsRepository).store([report as never]);
}
