import { filled } from '../../../../test/suites/hostile/operations.js';
import { uniqueName } from '../../../../test/make/make.js';
import type { SampleBodies, SampleRows, Samples } from '../../../../test/contract/samples.js';

type Deployed = 'embedded' | 'edge';

const APPLICATION = '/applications/{applicationId}';

/** Functions that create a deployment, by path. */
export const ROWS: SampleRows = {
  [`${APPLICATION}/embedded/deployments/{embeddedDeploymentId}`]: (samples) =>
    newDeployment(samples, 'embedded'),
  [`${APPLICATION}/edge/deployments/{edgeDeploymentId}`]: (samples) => newDeployment(samples, 'edge'),
};

/** Request bodies for deployment operations, each with a new workflow and device. */
export const BODIES: SampleBodies = {
  'embeddedDeployments.release': (samples) => releaseOf(samples, 'embedded'),
  'embeddedDeployments.remove': (samples) => removalOf(samples, 'embedded'),
  'embeddedDeployments.replace': (samples) => replacementOf(samples, 'embedded'),
  'edgeDeployments.release': (samples) => releaseOf(samples, 'edge'),
  'edgeDeployments.remove': (samples) => removalOf(samples, 'edge'),
  'edgeDeployments.replace': (samples) => replacementOf(samples, 'edge'),
};

/** Returns the body of a release, with a new workflow and device. */
async function releaseOf(samples: Samples, kind: Deployed) {
  const application = filled(APPLICATION, await samples.idsOf(APPLICATION));
  const deviceClass = kind === 'edge' ? 'edgeCompute' : 'embedded';
  const flow = { name: uniqueName(), flowClass: kind, minimumAgentVersion: '1.0.0' };
  const { id: flowId } = await samples.post(`${application}/flows`, flow);
  const { id } = await samples.post(`${application}/devices`, { name: uniqueName(), deviceClass });
  return { body: { flowId, version: 'develop', deviceIds: [id] as [string] } };
}

/** The same, after the release. */
async function releasedTo(samples: Samples, kind: Deployed) {
  const { body } = await releaseOf(samples, kind);
  const deployments = filled(`${APPLICATION}/${kind}/deployments`, await samples.idsOf(APPLICATION));
  await samples.post(`${deployments}/release`, body);
  return { deployments, flowId: body.flowId as string, deviceId: body.deviceIds[0] };
}

async function newDeployment(samples: Samples, kind: Deployed): Promise<string> {
  const { deployments, deviceId } = await releasedTo(samples, kind);
  return (await samples.send('GET', `${deployments}?deviceId=${deviceId}`)).body.items[0].id;
}

async function removalOf(samples: Samples, kind: Deployed): Promise<{ body: object }> {
  const { flowId, deviceId } = await releasedTo(samples, kind);
  return { body: { flowId, deviceId } };
}

async function replacementOf(samples: Samples, kind: Deployed): Promise<{ body: object }> {
  const { flowId } = await releasedTo(samples, kind);
  return { body: { flowId, oldVersion: 'develop', newVersion: null } };
}
