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

/** What operations say of when they are done. */
export const IN_TURN = `Changes of an application's deployments are made one after the other, as they were asked for. With up to ${BATCH.toLocaleString('en')} devices that is done with the answer; of more it has begun.`;

/** Who asks for what in which application. */
interface Asked {
  application: ApplicationAccess;
  by: Author;
  /** The name of the body in messages. */
  body: string;
}

type Devices = Pick<NewTask, 'deviceIds' | 'windows'>;

/** Requests that change what devices are to run: which workflows and devices may meet, and what is there. */
@Injectable()
export class DeploymentRequests {
  constructor(
    private readonly database: Database,
    private readonly targets: DeploymentTargetsRepository,
  ) {}

  /** Some devices get a version of a workflow, or lose the workflow. */
  release(deployer: Deployer, asked: Asked, post: ReleaseBody): Promise<Success> {
    const flowId = post.flowId.toLowerCase();
    const version = post.version || null;
    if (!post.deviceIds?.length && !post.deviceTags?.length)
      throw new ValidationError(`${asked.body}.deviceIds or ${asked.body}.deviceTags is required`);
    return this.change(deployer, asked, { type: 'release', flowId, version }, async (transaction) => {
      const flow = await this.demandFlow(deployer.kind, asked, flowId, transaction);
      await this.demandVersion(flow, version, `${asked.body}.version`, transaction);
      return { log: logOf(flow), ...(await this.selected(deployer.kind, asked, post, transaction)) };
    });
  }

  /** A device loses a workflow, or all of them, or all devices lose a workflow. */
  remove(deployer: Deployer, asked: Asked, post: RemoveBody): Promise<Success> {
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
          : await this.demandDevice(asked.application, deviceId, transaction);
      const flow =
        flowId === undefined ? undefined : await this.demandFlow(deployer.kind, asked, flowId, transaction);
      const log = flow ? logOf(flow) : { type: 'Device', id: device!.id, name: device!.name };
      return device ? { log, deviceIds: [device.id] } : { log };
    });
  }

  /** Devices that are to run one version of a workflow get another one, or lose it. */
  replace(deployer: Deployer, asked: Asked, post: ReplaceBody): Promise<Success> {
    const flowId = post.flowId.toLowerCase();
    const { oldVersion } = post;
    const version = post.newVersion || null;
    return this.change(
      deployer,
      asked,
      { type: 'replace', flowId, oldVersion, version },
      async (transaction) => {
        const flow = await this.demandFlow(deployer.kind, asked, flowId, transaction);
        await this.demandVersion(flow, version, `${asked.body}.newVersion`, transaction);
        return { log: logOf(flow) };
      },
    );
  }

  /** Checks and notes the change in one transaction, and makes it as far as that is soon done. */
  private async change(
    deployer: Deployer,
    { application, by }: Asked,
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

  private async demandFlow(
    { flowClasses }: DeploymentKind,
    { application, body }: Asked,
    id: string,
    transaction: Transaction,
  ): Promise<DeployedFlow> {
    const flow = await this.targets.flow(application.id, id, transaction);
    if (!flowClasses.includes(flow.flowClass))
      throw new ValidationError(
        `${body}.flowId must be of a workflow of class ${flowClasses.join(' or ')}: ${id} is of class ${flow.flowClass}`,
      );
    if (!flow.runsOnDevices)
      throw new ValidationError(`${body}.flowId must be of a custom node that supports edge: ${id} does not`);
    return flow;
  }

  private async demandVersion(
    { id }: DeployedFlow,
    version: string | null,
    field: string,
    transaction: Transaction,
  ): Promise<void> {
    if (version === null || version === DEVELOP) return;
    if (!(await this.targets.hasVersion(id, version, transaction)))
      throw new ValidationError(`${field} must be ${DEVELOP} or a version of the workflow ${id}`);
  }

  private async demandDevice(
    application: ApplicationAccess,
    id: string,
    transaction: Transaction,
  ): Promise<TargetDevice> {
    const [device] = await this.targets.devices(application, [id], transaction);
    if (!device) throw new NotFound('Device');
    return device;
  }

  /** The devices that a release is for. Those that it names have to be there, and of the class; of tags others are skipped. */
  private async selected(
    kind: DeploymentKind,
    { application, body }: Asked,
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
          `${body}.deviceIds must be of devices of class ${kind.deviceClass}: ${other} is of class ${there.get(other)}`,
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
