import { waitUntil } from '../setup/until.js';
import type { TestApp } from '../setup/app.js';
import { makeFlow } from './flows.js';
import type { TestUser } from './make.js';

/** A node that stores the text of a press as `last`. */
export const STORE = {
  id: 'store',
  type: 'StoreValueNode',
  config: { keyName: 'last', valueType: 'template', value: '{{data.text}}' },
  outputIds: [[]],
};

/** Returns a virtual button that leads to a node. */
export const button = (to: string) => ({ type: 'virtualButton', key: 'go', outputIds: [[to]] });

/** Workflow whose button stores the text of a press. */
export const STORING = { triggers: [button('store')], nodes: [STORE] };

/** A workflow with a button, as a user of the API sees it. */
export class ExecutedFlow {
  private constructor(
    private readonly test: TestApp,
    private readonly token: string,
    readonly flow: any,
  ) {}

  static async make(
    test: TestApp,
    { token }: TestUser,
    applicationId: string,
    body: object = STORING,
  ): Promise<ExecutedFlow> {
    return new ExecutedFlow(test, token, await makeFlow(test, token, applicationId, body));
  }

  async press(payload: object = { text: 'hot' }, more: object = {}): Promise<void> {
    const body = { key: 'go', payload, ...more };
    const pressed = await this.test.client.post(`${this.path}/virtualButton`, body, { token: this.token });
    expect(pressed.status).toBe(200);
  }

  change(body: object): Promise<unknown> {
    return this.test.client.patch(this.path, body, { token: this.token });
  }

  remove(): Promise<unknown> {
    return this.test.client.delete(this.path, { token: this.token });
  }

  logs = (): Promise<any[]> => this.get('logs?limit=100');
  stored = (): Promise<any> => this.get('storage');
  errors = async (): Promise<any[]> => (await this.get('errors')).errors;
  stats = async (): Promise<any> => (await this.get('stats?resolution=86400000')).metrics.at(-1);
  isLogged = (runs = 1) => waitUntil(async () => (await this.logs()).length >= runs);

  private get path(): string {
    return `/applications/${this.flow.applicationId}/flows/${this.flow.id}`;
  }

  private async get(what: string): Promise<any> {
    return (await this.test.client.get(`${this.path}/${what}`, { token: this.token })).body;
  }
}
