import type { DeploymentKind } from './deployment-change.js';
import { SEQUENTIAL_NOTE } from './deployment-requests.js';

/** Sentences of a release that differ between the kinds. */
interface ReleaseTexts {
  /** Which workflows can be deployed. */
  flows: string;
  /** When devices run the version, and when `currentVersion` changes. */
  rollout: string;
}

/** Facts that the operations of edge and embedded deployments have in common. */
export const deploymentOperations = (
  { name: kind, deviceClass }: DeploymentKind,
  { flows, rollout }: ReleaseTexts,
) =>
  ({
    list: {
      summary: `Lists the ${kind} deployments of an application`,
      description: `Returns a page of ${kind} deployments. Deployments of deleted devices are omitted until the device is restored.`,
      role: 'view',
      missing: 'application or device',
    },
    get: {
      summary: `Returns an ${kind} deployment`,
      description:
        'Returns the deployment. Returns `404` while its device is deleted; restoring the device makes the deployment available again.',
      role: 'view',
      missing: 'deployment',
    },
    release: {
      summary: 'Deploys a workflow version to devices',
      description: `Sets the desired version of the workflow on each device, replacing any other version. ${flows} Devices in \`deviceIds\` must have the class \`${deviceClass}\`; devices selected by \`deviceTags\` are skipped if they have another class. ${rollout} ${SEQUENTIAL_NOTE} If the version changes later, as \`develop\` does, it is deployed again. If the version or the workflow is deleted, it is removed from the devices.`,
      role: 'collaborate',
      example: {
        flowId: '575ec8687ae143cd83dc4a97',
        version: 'develop',
        deviceTags: [{ key: 'site', value: 'north' }],
      },
      missing: 'application, workflow or device',
    },
    remove: {
      summary: 'Removes workflows from devices',
      description: `Removes one workflow from one device. If \`flowId\` is \`null\`, removes all workflows from the device. If \`deviceId\` is \`null\`, removes the workflow from all devices. \`currentVersion\` is unchanged until the device reports the removal. ${SEQUENTIAL_NOTE}`,
      role: 'collaborate',
      example: { flowId: '575ec8687ae143cd83dc4a97', deviceId: null },
      missing: 'application, workflow or device',
    },
    replace: {
      summary: 'Replaces a version of a workflow on all devices',
      description: `Changes the desired version of all devices for which it is \`oldVersion\` to \`newVersion\`, whatever version they currently run. ${SEQUENTIAL_NOTE}`,
      role: 'collaborate',
      example: { flowId: '575ec8687ae143cd83dc4a97', oldVersion: '1.4.0', newVersion: 'develop' },
      missing: 'application or workflow',
    },
  }) as const;
