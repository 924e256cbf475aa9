import type { ActorType, DeviceReach } from '../../../platform/access/principal-data.js';
import type { DeviceClass, TagFilter } from '../../devices/devices/device.schemas.js';
import type { FlowClass } from '../../../workflows/graph/graph.js';

/** Name of the development version of a workflow. */
export const DEVELOP = 'develop';

/** Kind of deployment: edge or embedded. */
export interface DeploymentKind {
  name: 'edge' | 'embedded';
  /** Class of the devices that are deployed to. */
  deviceClass: DeviceClass;
  /** Classes of the workflows that can be deployed; custom nodes must support edge. */
  flowClasses: readonly FlowClass[];
  /** Table with the versions of each workflow and device. */
  table: 'edge_deployments' | 'embedded_deployment_flows';
}

/** Change of desired versions; `version` is `null` if a workflow is removed. */
export type DeploymentChange =
  /** Deploys a workflow to devices, or removes it from them. */
  | { type: 'release'; flowId: string; version: string | null }
  /** Devices that are to run a version get another one. */
  | { type: 'replace'; flowId: string; oldVersion: string; version: string | null }
  /** Every device loses a workflow. */
  | { type: 'remove'; flowId: string }
  /** Some devices lose all workflows: somebody asked for that, or they are of another class now. */
  | { type: 'clear' | 'device' }
  /** One version of a workflow has changed, or with `null` all of its versions. */
  | { type: 'content'; flowId: string; version: string | null }
  /** The globals of the application changed. */
  | { type: 'globals' };

/** Caller that made a change, as shown in deployment logs. */
export interface ChangeSource {
  sourceType: ActorType;
  sourceId: string;
}

/** Devices selected in windows while the change is applied, because there are too many to list. */
export interface DeviceWindows {
  deviceIds?: readonly string[];
  deviceTags?: readonly TagFilter[];
  /** Restriction to the devices that the caller can access, if any. */
  reach?: DeviceReach;
}

/** Change of deployments in an application, to be enqueued. */
export interface NewTask {
  applicationId: string;
  change: DeploymentChange;
  source?: ChangeSource;
  /** IDs of devices. If neither these nor `windows` are set, all devices that the change concerns. */
  deviceIds?: readonly string[];
  windows?: DeviceWindows;
}

/** First change in the queue, with its progress. */
export interface DueTask extends Omit<NewTask, 'source' | 'deviceIds' | 'windows'> {
  id: number;
  source: ChangeSource | null;
  deviceIds: readonly string[] | null;
  windows: DeviceWindows | null;
  /** ID of the last processed device. */
  after: string;
  /** Whether the change can be attempted now. */
  isDue: boolean;
}
