import type { DeviceReach } from '../../../platform/access/principal.js';
import type { DeviceClass, TagFilter } from '../../devices/devices/device.schemas.js';
import type { FlowClass } from '../../../workflows/graph/graph.js';

/** The version of a workflow that is being developed. */
export const DEVELOP = 'develop';

/** One of the two ways in which devices get workflows. */
export interface DeploymentKind {
  name: 'edge' | 'embedded';
  /** The devices that get them. */
  deviceClass: DeviceClass;
  /** The workflows that they get; custom nodes are those that support the edge. */
  flowClasses: readonly FlowClass[];
  /** The table of what each device is to run of each workflow. */
  table: 'edge_deployments' | 'embedded_deployment_flows';
}

/** What becomes of what devices are to run; `version` is `null` where a workflow is removed. */
export type DeploymentChange =
  /** Some devices get a workflow, or lose it. */
  | { type: 'release'; flowId: string; version: string | null }
  /** Devices that are to run a version get another one. */
  | { type: 'replace'; flowId: string; oldVersion: string; version: string | null }
  /** Every device loses a workflow. */
  | { type: 'remove'; flowId: string }
  /** Some devices lose all workflows: somebody asked for that, or they are of another class now. */
  | { type: 'clear' | 'device' }
  /** A version, or with `null` each version, of a workflow is no longer what it was. */
  | { type: 'content'; flowId: string; version: string | null }
  /** The globals of the application changed. */
  | { type: 'globals' };

/** Who made a change, as logs of deployments tell it. */
export interface ChangeSource {
  sourceType: 'user' | 'apiToken' | 'device';
  sourceId: string;
}

/** Devices that are found as the change is made, a window at a time: there are too many to name them. */
export interface DeviceWindows {
  deviceIds?: readonly string[];
  deviceTags?: readonly TagFilter[];
  /** Those that the caller reaches, where they do not reach all. */
  reach?: DeviceReach;
}

/** A change that is to be made in an application, in its turn. */
export interface NewTask {
  applicationId: string;
  change: DeploymentChange;
  source?: ChangeSource;
  /** The devices; where neither these nor windows are given, all that have what the change is of. */
  deviceIds?: readonly string[];
  windows?: DeviceWindows;
}

/** A change whose turn it is, and how far it is. */
export interface DueTask extends Omit<NewTask, 'source' | 'deviceIds' | 'windows'> {
  id: number;
  source: ChangeSource | null;
  deviceIds: readonly string[] | null;
  windows: DeviceWindows | null;
  /** The last device that was looked at. */
  after: string;
  /** Whether it may be tried, or tried again. */
  isDue: boolean;
}
