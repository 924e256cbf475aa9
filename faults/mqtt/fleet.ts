import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../client.js';
import { ReportingDevice } from './device.js';

const PAUSE_MS = 200;

const unique = (): string => randomBytes(8).toString('hex');

/** Config of the node that inserts the number of a report into a table. */
const rowOf = (tableId: string): object => ({
  dataTableIdTemplate: tableId,
  rowFields: [{ columnTemplate: 'n', valueTemplate: '{{data.n}}' }],
});

/** An application with devices. The reports of each start a workflow, which inserts them into a data table. */
export class Fleet {
  private constructor(
    readonly devices: readonly ReportingDevice[],
    private readonly path: string,
  ) {}

  /** Creates an application with a device for each broker, and one that changes to another broker when its own is killed. */
  static async make(
    client: Client,
    ports: readonly number[],
    refused: (sentence: string) => void,
  ): Promise<Fleet> {
    const post = async (path: string, body: object) => {
      const { status, body: made } = await client.send('POST', path, body);
      if (typeof made.id !== 'string')
        throw new Error(`POST ${path} returned ${status}: ${JSON.stringify(made)}`);
      return made as { id: string; key: string; secret: string };
    };
    const { id } = await post('/applications', { name: unique() });
    const path = `/applications/${id}`;
    const key = await post(`${path}/keys`, { name: unique(), filterType: 'none' });
    const attributes = [{ name: 'n', dataType: 'number' }];
    const columns = [{ name: 'n', dataType: 'number', constraint: 'optional' }];
    const devices: ReportingDevice[] = [];
    for (const own of [...ports.map((port) => [port]), ports]) {
      const device = await post(`${path}/devices`, { name: unique(), attributes });
      const triggers = [{ type: 'deviceId', key: device.id, outputIds: [['row']] }];
      const table = await post(`${path}/data-tables`, { name: unique(), columns });
      const nodes = [{ id: 'row', type: 'DataTableInsertRowNode', config: rowOf(table.id) }];
      const flow = await post(`${path}/flows`, { name: unique(), triggers, nodes });
      const servers = own.map((port) => ({ host: '127.0.0.1', port }));
      const options = { username: key.key, password: key.secret, servers };
      devices.push(
        new ReportingDevice({ deviceId: device.id, flowId: flow.id, tableId: table.id }, options, refused),
      );
    }
    return new Fleet(devices, path);
  }

  /** Sends commands to the devices in turn. */
  async commandUntil(client: Client, isOver: () => boolean): Promise<void> {
    for (let turn = 0; !isOver(); turn++) {
      const { commands, deviceId } = this.devices[turn % this.devices.length]!;
      const name = unique();
      const sent = Date.now();
      const { outcome } = await client.send('POST', `${this.path}/devices/${deviceId}/command`, { name });
      commands.push({ name, outcome, sent, answered: Date.now() });
      await sleep(PAUSE_MS);
    }
  }
}
