import type { Answer } from '../contract/client.js';
import type { TestApp } from '../setup/app.js';
import { waitUntil } from '../setup/until.js';
import { uniqueName, type TestUser } from './make.js';

/** An application that was made from a shipped template, with its workflows enabled, as a user of the API sees it. */
export class TemplateApplication {
  private constructor(
    private readonly test: TestApp,
    private readonly user: TestUser,
    readonly id: string,
  ) {}

  /** Creates an application from the template with a name, and enables its cloud workflows. */
  static async make(test: TestApp, user: TestUser, name: string): Promise<TemplateApplication> {
    const { token } = user;
    const templates = await test.client.get('/applicationTemplates?perPage=100', { token });
    const { id: applicationTemplateId } = templates.body.items.find((one: any) => one.name === name);
    const body = { name: uniqueName(), applicationTemplateId };
    const application = new TemplateApplication(
      test,
      user,
      (await test.client.post('/applications', body, { token })).body.id,
    );
    for (const flow of await application.items('flows?flowClass=cloud'))
      await application.call('PATCH', `flows/${flow.id}`, { enabled: true });
    return application;
  }

  /** Sends a request to a path below the application. Fails if the platform refuses it. */
  async call(method: string, path: string, body?: unknown): Promise<any> {
    const whole = `/applications/${this.id}/${path}`;
    const answer: Answer = await this.test.client.request(method, whole, { token: this.user.token, body });
    if (answer.status >= 400) throw new Error(`${method} ${whole}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  async items(path: string): Promise<any[]> {
    return (await this.call('GET', path)).items;
  }

  /** Returns the resource of a list, such as `devices`, with a name. Waits until there is one. */
  async named(list: string, name: string): Promise<any> {
    let found: unknown;
    await this.until(async () => {
      found = (await this.items(list)).find((one) => one.name === name);
      return found !== undefined;
    });
    return found;
  }

  /** Reports the state of the device with a name. */
  async report(name: string, data: object): Promise<void> {
    await this.call('POST', `devices/${(await this.named('devices', name)).id}/state`, { data });
  }

  async press(flow: string, key: string, payload: object = {}): Promise<void> {
    const { id } = await this.named('flows', flow);
    await this.call('POST', `flows/${id}/virtualButton`, { key, payload });
  }

  /** Sends JSON to the webhook with a name. */
  async post(webhook: string, body: unknown): Promise<Response> {
    const { token } = await this.named('webhooks', webhook);
    return fetch(`${this.test.client.url}/webhooks/${token}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  /** Waits for an event with a subject and a state, and returns it. */
  async event(subject: string, state: string): Promise<any> {
    let found: unknown;
    await this.until(async () => {
      found = (await this.items('events')).find((one) => one.subject === subject && one.state === state);
      return found !== undefined;
    });
    return found;
  }

  /** Waits until the device with a name has these values. */
  async hasState(name: string, values: object): Promise<void> {
    const { id } = await this.named('devices', name);
    await this.until(async () => {
      const state = await this.call('GET', `devices/${id}/compositeState`);
      return Object.entries(values).every(([attribute, value]) => state[attribute]?.value === value);
    });
  }

  /** Waits until the device with a name has received a number of commands, and returns them, newest first. */
  async commands(name: string, count = 1): Promise<any[]> {
    const { id } = await this.named('devices', name);
    let commands: any[] = [];
    await this.until(async () => {
      commands = await this.call('GET', `devices/${id}/command?limit=100`);
      return commands.length >= count;
    });
    return commands;
  }

  /** Waits until a table has a number of rows, and returns them. */
  async rows(table: string, count: number): Promise<any[]> {
    const { id } = await this.named('data-tables', table);
    let rows: any[] = [];
    await this.until(async () => {
      rows = await this.items(`data-tables/${id}/rows?limit=1000`);
      return rows.length >= count;
    });
    return rows;
  }

  /** Waits until a workflow has finished a number of runs, and returns its logs. */
  async logs(flow: string, count: number): Promise<any[]> {
    const { id } = await this.named('flows', flow);
    let logs: any[] = [];
    await this.until(async () => {
      logs = await this.call('GET', `flows/${id}/logs?limit=100`);
      return logs.length >= count;
    });
    return logs;
  }

  /** Sets a global of the application; its other globals stay. */
  async setGlobal(key: string, value: unknown): Promise<void> {
    await this.call('PATCH', 'globals', [{ key, json: JSON.stringify(value) }]);
  }

  /** Like `waitUntil`; its failure names the errors of the workflows, which are the most likely cause. */
  private async until(holds: () => Promise<boolean>): Promise<void> {
    try {
      await waitUntil(holds);
    } catch (error) {
      const flows = await this.items('flows');
      const pages = flows.map(async ({ id, name }) => [
        name,
        (await this.call('GET', `flows/${id}/errors`)).errors,
      ]);
      const errors = JSON.stringify(Object.fromEntries(await Promise.all(pages)), null, 2);
      throw new Error(`${(error as Error).message}; errors of the workflows: ${errors}`, { cause: error });
    }
  }

  /** Lets the time of a workflow's timers come. */
  async passTimer(flow: string): Promise<void> {
    const { id } = await this.named('flows', flow);
    await this.until(async () => {
      const passed = `UPDATE flow_schedules SET due_at = now() - interval '1 ms' WHERE flow_id = $1 AND specs IS NOT NULL RETURNING 1`;
      return (await this.test.dataSource.query(passed, [id]))[1] > 0;
    });
  }

  /** Lets the interval of the system with a name end. */
  async passInterval(name: string): Promise<void> {
    const { id } = await this.named('devices', name);
    await this.test.dataSource.query(
      `UPDATE device_systems SET due_at = now() - interval '1 ms' WHERE device_id = $1`,
      [id],
    );
  }

  /** Lets the devices that a workflow watches be silent for long enough. */
  async passSilence(flow: string): Promise<void> {
    const { id } = await this.named('flows', flow);
    await this.test.dataSource.query(
      `UPDATE device_silences SET due_at = now() - interval '1 ms' WHERE flow_id = $1`,
      [id],
    );
  }
}
