import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { writeEntry, type Target } from '../../../platform/audit/audit.js';
import type { Author } from '../../../platform/audit/author.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { NotFound, ValidationError } from '../../../lib/errors/errors.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import type { Deployer } from './deployer.js';
import type { ReleaseBody, RemoveBody, ReplaceBody } from './deployment-bodies.js';
import { DEVELOP, type DeploymentChange, type DeploymentKind, type NewTask } from './deployment-change.js';
import {
  DeploymentTargetsRepository,
  type DeployedFlow,
  type TargetDevice,
} from './deployment-targets.repository.js';
import { BATCH } from './deployment-tasks.repository.js';

/** Describes in operations when a change takes effect. */
export const SEQUENTIAL_NOTE = `Changes to the deployments of an application are applied in the order of the requests. With up to ${BATCH.toLocaleString('en')} devices, the change is applied before the response is sent; with more, it continues in the background.`;

/** Application and caller of a request. */
export interface DeploymentRequest {
  application: ApplicationAccess;
  by: Author;
  /** Name of the body in error messages. */
  body: string;
}

type Devices = Pick<NewTask, 'deviceIds' | 'windows'>;

/** Validates requests that change deployments: workflows and devices must exist and be compatible. */
@Injectable()
export class DeploymentRequests {
  constructor(
    private readonly database: Database,
    private readonly targets: DeploymentTargetsRepository,
  ) {}

  /** Deploys a version of a workflow to devices, or removes the workflow. */
  release(deployer: Deployer, asked: DeploymentRequest, post: ReleaseBody): Promise<Success> {
    const flowId = post.flowId.toLowerCase();
    const version = post.version || null;
    if (!post.deviceIds?.length && !post.deviceTags?.length)
      throw new ValidationError(`${asked.body}.deviceIds or ${asked.body}.deviceTags is required`);
    return this.change(deployer, asked, { type: 'release', flowId, version }, async (transaction) => {
      const flow = await this.assertFlow(deployer.kind, asked, flowId, transaction);
      await this.assertVersion(flow, version, `${asked.body}.version`, transaction);
      return { log: logOf(flow), ...(await this.selected(deployer.kind, asked, post, transaction)) };
    });
  }

  /** Removes one or all workflows from a device, or one workflow from all devices. */
  remove(deployer: Deployer, asked: DeploymentRequest, post: RemoveBody): Promise<Success> {
    const flowId = post.flowId?.toLowerCase();
    const deviceId = post.deviceId?.toLowerCase();
    const change: DeploymentChange | undefined =
      flowId === undefined
        ? deviceId === undefined
          ? undefined
          : { type: 'clear' }
        : deviceId === undefined
          ? { type: 'remove', flowId }
          : { type: 'release', flowId, version: null };
    if (!change) throw new ValidationError(`${asked.body}.flowId or ${asked.body}.deviceId is required`);
    return this.change(deployer, asked, change, async (transaction) => {
      const device =
        deviceId === undefined
          ? undefined
          : await this.assertDevice(asked.application, deviceId, transaction);
      const flow =
        flowId === undefined ? undefined : await this.assertFlow(deployer.kind, asked, flowId, transaction);
      const log = flow ? logOf(flow) : { type: 'Device', id: device!.id, name: device!.name };
      return device ? { log, deviceIds: [device.id] } : { log };
    });
  }

  /** Replaces one version of a workflow with another, or removes it. */
  replace(deployer: Deployer, asked: DeploymentRequest, post: ReplaceBody): Promise<Success> {
    const flowId = post.flowId.toLowerCase();
    const { oldVersion } = post;
    const version = post.newVersion || null;
    return this.change(
      deployer,
      asked,
      { type: 'replace', flowId, oldVersion, version },
      async (transaction) => {
        const flow = await this.assertFlow(deployer.kind, asked, flowId, transaction);
        await this.assertVersion(flow, version, `${asked.body}.newVersion`, transaction);
        return { log: logOf(flow) };
      },
    );
  }

  /** Validates and enqueues the change in one transaction, then applies as much as possible within the request. */
  private async change(
    deployer: Deployer,
    { application, by }: DeploymentRequest,
    change: DeploymentChange,
    check: (transaction: Transaction) => Promise<Devices & { log: Target }>,
  ): Promise<Success> {
    const { id: applicationId } = application;
    const source = { sourceType: by.type, sourceId: by.id };
    const task = await this.database.transaction(async (transaction) => {
      const { log, ...devices } = await check(transaction);
      if (application.ownerType === 'organization') await this.log(application, by, log, transaction);
      return deployer.add({ applicationId, change, source, ...devices }, transaction);
    });
    await deployer.catchUp(applicationId, task);
    return new Success();
  }

  private async log(
    { id, ownerId }: ApplicationAccess,
    by: Author,
    secondary: Target,
    transaction: Transaction,
  ): Promise<void> {
    const name = await this.targets.applicationName(id, transaction);
    const primary = { type: 'Application', id, name };
    await writeEntry(transaction.manager, by, { organization: { id: ownerId, primary, secondary } });
  }

  private async assertFlow(
    { flowClasses }: DeploymentKind,
    { application, body }: DeploymentRequest,
    id: string,
    transaction: Transaction,
  ): Promise<DeployedFlow> {
    const flow = await this.targets.flow(application.id, id, transaction);
    if (!flowClasses.includes(flow.flowClass))
      throw new ValidationError(
        `${body}.flowId must be the ID of a workflow of class ${flowClasses.join(' or ')}: ${id} is of class ${flow.flowClass}`,
      );
    if (!flow.runsOnDevices)
      throw new ValidationError(
        `${body}.flowId must be the ID of a custom node that supports edge: ${id} does not`,
      );
    return flow;
  }

  private async assertVersion(
    { id }: DeployedFlow,
    version: string | null,
    field: string,
    transaction: Transaction,
  ): Promise<void> {
    if (version === null || version === DEVELOP) return;
    if (!(await this.targets.hasVersion(id, version, transaction)))
      throw new ValidationError(`${field} must be ${DEVELOP} or a version of the workflow ${id}`);
  }

  private async assertDevice(
    application: ApplicationAccess,
    id: string,
    transaction: Transaction,
  ): Promise<TargetDevice> {
    const [device] = await this.targets.devices(application, [id], transaction);
    if (!device) throw new NotFound('Device');
    return device;
  }

  /**
   * Returns the devices of a release. Devices listed by ID must exist and have the right class; tagged ones of another
   * class are skipped.
   */
  private async selected(
    kind: DeploymentKind,
    { application, body }: DeploymentRequest,
    { deviceIds = [], deviceTags = [] }: ReleaseBody,
    transaction: Transaction,
  ): Promise<Devices> {
    const named = [...new Set(deviceIds.map((id) => id.toLowerCase()))];
    if (named.length > 0) {
      const found = await this.targets.devices(application, named, transaction);
      const there = new Map(found.map(({ id, deviceClass }) => [id, deviceClass]));
      const missing = named.find((id) => !there.has(id));
      if (missing !== undefined) throw new NotFound(`Device ${missing}`);
      const other = named.find((id) => there.get(id) !== kind.deviceClass);
      if (other !== undefined)
        throw new ValidationError(
          `${body}.deviceIds must be IDs of devices of class ${kind.deviceClass}: ${other} is of class ${there.get(other)}`,
        );
    }
    if (deviceTags.length === 0) return { deviceIds: named.sort() };
    const tagged = await this.targets.tagged(
      application,
      kind,
      deviceTags,
      BATCH - named.length,
      transaction,
    );
    if (tagged) return { deviceIds: [...new Set([...named, ...tagged])].sort() };
    return { windows: { deviceIds: named, deviceTags, reach: application.devices } };
  }
}

const logOf = ({ id, name }: DeployedFlow): Target => ({ type: 'Flow', id, name });
