import type { Deployer } from '../../src/modules/deployments/deployments/deployer.js';
import { EdgeDeployer } from '../../src/modules/deployments/edge-deployments/edge-deployer.js';
import { EmbeddedDeployer } from '../../src/modules/deployments/embedded-deployments/embedded-deployer.js';
import type { TestApp } from '../setup/app.js';
import type { Answer } from '../contract/client.js';
import { waitUntil } from '../setup/until.js';
import { makeDevice } from './device-tokens.js';
import { makeFlow, makeVersion } from './flows.js';

const DEPLOYERS = { embedded: EmbeddedDeployer, edge: EdgeDeployer } as const;
const DEVICE_CLASSES = { embedded: 'embedded', edge: 'edgeCompute' } as const;
type Kind = keyof typeof DEPLOYERS;

/** Application of a suite, with a user who may change it. Both can be other ones in each test. */
interface Place {
  test: TestApp;
  user: { token: string };
  application: { id: string };
}

/** Deployments of one kind in an application, from a user's view. */
export class TestDeployments {
  private readonly test: TestApp;

  constructor(
    private readonly place: Place,
    private readonly kind: Kind,
  ) {
    this.test = place.test;
  }

  get path(): string {
    return `/applications/${this.place.application.id}/${this.kind}/deployments`;
  }

  device(body: object = {}): Promise<any> {
    const deviceClass = DEVICE_CLASSES[this.kind];
    return makeDevice(this.test, this.place.user.token, this.place.application.id, { deviceClass, ...body });
  }

  /** Creates a workflow with versions of the given names and graph. */
  async flow(versions: readonly string[] = [], body: object = {}, graph: object = {}): Promise<any> {
    const flowClass = { flowClass: this.kind, minimumAgentVersion: '1.0.0' };
    const flow = await makeFlow(this.test, this.place.user.token, this.place.application.id, {
      ...flowClass,
      ...body,
    });
    for (const version of versions)
      await makeVersion(this.test, this.place.user.token, flow, {
        version,
        minimumAgentVersion: '1.0.0',
        ...graph,
      });
    return flow;
  }

  act(
    action: 'release' | 'remove' | 'replace',
    body: object,
    token = this.place.user.token,
  ): Promise<Answer> {
    return this.test.client.post(`${this.path}/${action}`, body, { token });
  }

  /** Releases a version to devices; fails if the request fails. */
  async release(flow: { id: string }, version: string | null, ...devices: { id: string }[]): Promise<void> {
    const deviceIds = devices.map(({ id }) => id);
    const { status, body } = await this.act('release', { flowId: flow.id, version, deviceIds });
    if (status !== 201) throw new Error(`Could not release the deployment: ${JSON.stringify(body)}`);
  }

  /** Creates a workflow with versions of this graph, and releases the first to a device. */
  async releaseNew(device: { id: string }, graph: object, ...versions: string[]): Promise<any> {
    const flow = await this.flow(versions, {}, graph);
    await this.release(flow, versions[0]!, device);
    return flow;
  }

  async list(query = ''): Promise<Answer> {
    return this.test.client.get(`${this.path}?${query}`, { token: this.place.user.token });
  }

  /** Returns the deployments of a device. */
  async of(device: { id: string }): Promise<any[]> {
    return (await this.list(`deviceId=${device.id}`)).body.items;
  }

  /** Processes all changes that are due. Waits for those that a worker of the platform is processing. */
  async work(): Promise<void> {
    const deployer: Deployer = this.test.app.get(DEPLOYERS[this.kind], { strict: false });
    const head = `SELECT coalesce(due_at <= now(), true) AS "isDue" FROM deployment_tasks
      WHERE kind = $1 AND application_id = $2 ORDER BY id LIMIT 1`;
    await waitUntil(async () => {
      while (await deployer.work());
      const [first] = await this.test.dataSource.query(head, [this.kind, this.place.application.id]);
      return !first?.isDue;
    });
  }
}
