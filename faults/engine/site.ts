import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../client.js';

/** What starts the workflow of a site. */
export type Cause = 'timer' | 'virtualButton' | 'webhook';

/** Leaves runs that wait during a hang below the limit of events of an application. */
const PAUSE_MS = 200;
/** Between effects, so that most kills of an engine interrupt runs. */
const DELAY_S = 0.3;
/** Before another attempt to create an event. */
const RETRY_S = 3;
/** Text that identifies a run in all of its effects. */
const KEYS: Record<Cause, string> = {
  // In milliseconds: a delayed timer can fire twice in a second.
  timer: "{{formatDate time 'x'}}",
  virtualButton: '{{data.n}}',
  webhook: '{{data.body.n}}',
};
const BUTTON = 'go';

const unique = (): string => randomBytes(8).toString('hex');

/** An application whose workflow inserts a row, creates an event, adds to its storage and reports a state. */
export class Site {
  /** Requests for runs that were confirmed, and those without an answer that proves anything. */
  acknowledged = 0;
  unknown = 0;

  private constructor(
    readonly cause: Cause,
    readonly applicationId: string,
    readonly flowId: string,
    readonly tableId: string,
    readonly deviceId: string,
    private readonly path: string,
  ) {}

  static async make(client: Client, cause: Cause): Promise<Site> {
    const post = async (path: string, body: object) => {
      const { status, body: made } = await client.send('POST', path, body);
      if (typeof made.id !== 'string') throw new Error(`POST ${path} returned ${status}`);
      return { ...made, id: made.id };
    };
    const { id } = await post('/applications', { name: unique() });
    const path = `/applications/${id}`;
    const columns = [{ name: 'n', dataType: 'string', constraint: 'optional' }];
    const table = await post(`${path}/data-tables`, { name: unique(), columns });
    const attributes = [{ name: 'n', dataType: 'string' }];
    const device = await post(`${path}/devices`, { name: unique(), attributes });
    const webhook = cause === 'webhook' ? await post(`${path}/webhooks`, { name: unique() }) : undefined;
    const flow = await post(`${path}/flows`, {
      name: unique(),
      triggers: [
        {
          type: cause,
          key: webhook?.id ?? BUTTON,
          ...(cause === 'timer' ? { config: { seconds: 1 } } : {}),
          outputIds: [['row']],
        },
      ],
      nodes: nodesOf(KEYS[cause], table.id, device.id),
    });
    const called = webhook
      ? `/webhooks/${(webhook as { token?: string }).token}`
      : `${path}/flows/${flow.id}/virtualButton`;
    return new Site(cause, id, flow.id, table.id, device.id, called);
  }

  async callUntil(client: Client, isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      await sleep(PAUSE_MS);
      if (this.cause === 'timer') continue;
      const payload = { n: unique() };
      const body = this.cause === 'webhook' ? payload : { key: BUTTON, payload };
      const { outcome } = await client.send('POST', this.path, body);
      if (outcome === 'done') this.acknowledged++;
      if (outcome === 'unknown') this.unknown++;
    }
  }
}

function nodesOf(key: string, tableId: string, deviceId: string): object[] {
  const nodes: [id: string, type: string, config: object][] = [
    [
      'row',
      'DataTableInsertRowNode',
      { dataTableIdTemplate: tableId, rowFields: [{ columnTemplate: 'n', valueTemplate: key }] },
    ],
    ['wait', 'DelayNode', { delay: DELAY_S }],
    [
      'event',
      'CreateEventNode',
      { levelTemplate: 'info', subjectTemplate: key, timeSourceType: 'now', resultPath: 'working.event' },
    ],
    ['isRefused', 'ConditionalNode', { expression: '!!{{working.event.error}}' }],
    ['count', 'StoreValueNode', { keyName: 'count', valueType: 'incr', value: 1 }],
    ['pause', 'DelayNode', { delay: DELAY_S }],
    [
      'state',
      'DeviceChangeStateNode',
      { deviceId, attrInfos: [{ key: 'n', valueTemplate: key }], timeSourceType: 'now' },
    ],
    ['end', 'DelayNode', { delay: DELAY_S }],
  ];
  const graph = nodes.map(([id, type, config], i) => ({
    id,
    type,
    config,
    outputIds: [nodes[i + 1] ? [nodes[i + 1]![0]] : []],
  }));
  // Runs that have waited for long create more events than an application may, and try again.
  graph.find(({ id }) => id === 'isRefused')!.outputIds.push(['again']);
  return [...graph, { id: 'again', type: 'DelayNode', config: { delay: RETRY_S }, outputIds: [['event']] }];
}
