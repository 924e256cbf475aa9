import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../client.js';

/** Longer than a process of sites waits for a reply. */
const TIMEOUT_MS = 70_000;
const PAUSE_MS = 100;
/** After a request without a response, because a process takes some seconds to start. */
const PATIENCE_MS = 500;
/** While the workflow waits, so that most kills hit requests that wait. */
const DELAY_S = 0.2;

const unique = (): string => randomBytes(8).toString('hex');

/** A request to the experience and its response; without a response, `status` is 0. */
export interface Visit {
  /** Text that the workflow inserts as a row and replies with. */
  readonly key: string;
  readonly status: number;
  readonly text: string;
}

/** An experience whose workflow inserts a row, waits, and replies with the text of its request. */
export class Visits {
  readonly all: Visit[] = [];

  private constructor(
    private readonly host: string,
    readonly tableId: string,
  ) {}

  static async make(client: Client): Promise<Visits> {
    const post = async (path: string, body: object): Promise<string> => {
      const { status, body: made } = await client.send('POST', path, body);
      if (typeof made.id !== 'string') throw new Error(`POST ${path} returned ${status}`);
      return made.id;
    };
    const id = await post('/applications', { name: unique() });
    const path = `/applications/${id}`;
    const columns = [{ name: 'n', dataType: 'string', constraint: 'optional' }];
    const tableId = await post(`${path}/data-tables`, { name: unique(), columns });
    const key = await post(`${path}/experience/endpoints`, { method: 'get', route: '/{n}' });
    await post(`${path}/flows`, {
      name: unique(),
      flowClass: 'experience',
      triggers: [{ type: 'endpoint', key, outputIds: [['row']] }],
      nodes: nodesOf(tableId),
    });
    return new Visits(`${id}.localhost`, tableId);
  }

  /** Sends requests to a process, one after another on one connection. */
  async visitUntil(port: number, isOver: () => boolean): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!isOver()) {
      const key = unique();
      const response = await this.visit(port, agent, key);
      this.all.push({ key, ...response });
      await sleep(response.status === 0 ? PATIENCE_MS : PAUSE_MS);
    }
    agent.destroy();
  }

  /** A second response on the connection would be that of the next request, with a wrong text. */
  private visit(port: number, agent: Agent, key: string): Promise<Pick<Visit, 'status' | 'text'>> {
    return new Promise((resolve) => {
      const none = () => resolve({ status: 0, text: '' });
      const sent = request(
        { port, host: '127.0.0.1', path: `/${key}`, agent, headers: { host: this.host } },
        (response) => {
          let text = '';
          response.on('data', (chunk: Buffer) => (text += chunk.toString()));
          response.once('end', () => resolve({ status: response.statusCode!, text }));
          response.once('error', none);
        },
      );
      sent.setTimeout(TIMEOUT_MS, () => sent.destroy());
      sent.once('close', none);
      sent.once('error', none);
      sent.end();
    });
  }
}

function nodesOf(tableId: string): object[] {
  const rowFields = [{ columnTemplate: 'n', valueTemplate: '{{data.params.n}}' }];
  return [
    {
      id: 'row',
      type: 'DataTableInsertRowNode',
      config: { dataTableIdTemplate: tableId, rowFields },
      outputIds: [['wait']],
    },
    { id: 'wait', type: 'DelayNode', config: { delay: DELAY_S }, outputIds: [['reply']] },
    {
      id: 'reply',
      type: 'EndpointReplyNode',
      config: { bodyTemplate: '{{data.params.n}}' },
      outputIds: [[]],
    },
  ];
}
