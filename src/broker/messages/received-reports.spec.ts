import type { Config } from '../../config/config.js';
import { Unavailable } from '../../lib/errors/errors.js';
import { OutcomeUnknown } from '../../platform/database/found-after-cut.js';
import type { ReportingDevicesRepository } from '../../modules/devices/devices/reporting-devices.repository.js';
import type { DeviceReports } from '../../modules/devices/device-state/device-reports.js';
import type { DeviceTriggers } from '../../modules/devices/device-triggers/device-triggers.js';
import type { DeviceErrors } from './device-errors.js';
import { ReceivedReports } from './received-reports.js';

describe('A report that PostgreSQL does not store at once', () => {
  const attributes = new Map([['n', { dataType: 'number', number: 0 }]]);
  const device = { id: 'd', applicationId: 'a', deviceClass: 'standalone', attributes };

  /** Returns the outcome of a report whose workflows fail to begin at first, and how often that was tried. */
  async function received(failure: Error): Promise<[unknown, number]> {
    let attempts = 0;
    const runWorkflows = async (): Promise<void> => {
      if (++attempts === 1) throw failure;
    };
    const reports = new ReceivedReports(
      { find: async () => device } as unknown as ReportingDevicesRepository,
      { store: async () => ({}), runWorkflows } as unknown as DeviceReports,
      {} as DeviceTriggers,
      {} as DeviceErrors,
      { TOPIC_PREFIX: 'fieldwright' } as Config,
    );
    const outcome = reports
      .receive({ deviceId: 'd', applicationId: 'a' }, 'd', Buffer.from('{"data":{"n":1}}'))
      .catch((thrown: unknown) => thrown);
    return [await outcome, attempts];
  }

  it('is tried again', async () => {
    expect(await received(new Unavailable('down'))).toEqual(['stored', 2]);
  });

  it('is left to the device if it may have been processed', async () => {
    const unknown = new OutcomeUnknown('down');
    expect(await received(unknown)).toEqual([unknown, 1]);
  });
});
