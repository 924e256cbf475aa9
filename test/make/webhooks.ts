import { makeFlow } from './flows.js';
import { makeApplication, makeUser, uniqueName, type TestUser } from './make.js';
import { requestedRuns, type RequestedRun } from './runs.js';
import type { TestApp } from '../setup/app.js';

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer | FormData;
}

/** A webhook of an application, with a workflow that it triggers. */
export class ListenedWebhook {
  private constructor(
    private readonly test: TestApp,
    readonly user: TestUser,
    readonly application: any,
    readonly webhook: any,
    readonly flow: any,
  ) {}

  static async make(
    test: TestApp,
    body: object = {},
    of: { user?: TestUser; application?: any } = {},
  ): Promise<ListenedWebhook> {
    const user = of.user ?? (await makeUser(test));
    const application = of.application ?? (await makeApplication(test, user.token));
    const path = `/applications/${application.id}/webhooks`;
    const made = await test.client.post(path, { name: uniqueName(), ...body }, { token: user.token });
    if (made.status !== 201) throw new Error(`Could not create a webhook: ${JSON.stringify(made.body)}`);
    const flow = await makeFlow(test, user.token, application.id, { triggers: triggersOf(made.body) });
    return new ListenedWebhook(test, user, application, made.body, flow);
  }

  get triggers() {
    return triggersOf(this.webhook);
  }

  /** Sends a request to the webhook, with an additional path and query. */
  send(path = '', { body, ...sent }: Sent = {}): Promise<Response> {
    return fetch(`${this.test.client.url}/webhooks/${this.webhook.token}${path}`, {
      ...sent,
      body: body as string | undefined,
    });
  }

  post(body: Sent['body'], headers?: Record<string, string>, path = ''): Promise<Response> {
    return this.send(path, { method: 'POST', body, headers });
  }

  postJson(body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return this.post(JSON.stringify(body), { 'content-type': 'application/json', ...headers });
  }

  change(body: unknown): Promise<unknown> {
    return this.patch(`/webhooks/${this.webhook.id}`, body);
  }

  /** Updates a resource of its application. */
  async patch(path: string, body: unknown): Promise<unknown> {
    const whole = `/applications/${this.application.id}${path}`;
    const answer = await this.test.client.patch(whole, body, { token: this.user.token });
    if (answer.status !== 200) throw new Error(`Could not update ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** Returns the requested runs of its application, with their input. */
  runs(): Promise<RequestedRun[]> {
    return requestedRuns(this.test, { applicationId: this.application.id });
  }

  forgetRuns(): Promise<unknown> {
    return this.test.dataSource.query('DELETE FROM run_inbox WHERE application_id = $1', [
      this.application.id,
    ]);
  }

  /** Returns the input of the latest run. */
  async received(): Promise<any> {
    return (await this.runs()).at(-1)?.trigger.data;
  }
}

const triggersOf = ({ id }: { id: string }) => [{ type: 'webhook', key: id }];

/** Returns the status and the JSON body of a response. */
export async function answerOf(response: Response): Promise<[number, any]> {
  return [response.status, await response.json()];
}
