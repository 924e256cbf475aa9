import { newId } from '../../../platform/repositories/resource.js';
import { uniqueName } from '../../../../test/make/make.js';
import type { SampleBodies, SampleRows, Samples } from '../../../../test/contract/samples.js';

type Ids = Readonly<Record<string, string>>;

const DEVICE = '/applications/{applicationId}/devices/{deviceId}';

/** Functions that create a bundle for devices, by path. */
export const ROWS: SampleRows = { [`${DEVICE}/embedded/bundles/{bundleVersion}`]: embeddedBundle };

/** Bodies of a device's report of its modules and of module exports. */
export const BODIES: SampleBodies = {
  'embeddedDeployments.hello': async (samples) => {
    await embeddedBundle(samples, await samples.idsOf(DEVICE));
    return { body: { service: 'embeddedWorkflowAgent', version: '1.0.0', bundle: 'nullVersion' } };
  },
  'embeddedDeployments.export': async (samples) => {
    await embeddedBundle(samples, await samples.idsOf(DEVICE));
    return { body: { email: `${uniqueName()}@example.com` } };
  },
};

let bundles = 1_781_323_200_000;

/** Turns a device into an embedded device that has requested its bundle, which is not compiled. */
async function embeddedBundle({ test }: Samples, { applicationId, deviceId }: Ids): Promise<string> {
  const version = String(bundles++);
  const { dataSource } = test;
  await dataSource.query(`UPDATE devices SET device_class = 'embedded' WHERE id = $1`, [deviceId]);
  await dataSource.query(
    `INSERT INTO embedded_deployments (id, application_id, device_id, creation_date, last_updated, current_bundle_version,
        desired_bundle_version, unknown_bundle, logs) VALUES ($1, $2, $3, now(), now(), 'nullVersion', $4, false, '[]')
      ON CONFLICT (device_id) DO UPDATE SET desired_bundle_version = excluded.desired_bundle_version`,
    [newId(), applicationId, deviceId, version],
  );
  await dataSource.query(
    `INSERT INTO embedded_modules (application_id, device_id, bundle_version, recipe, owner_id, due_at, made_at, asked_at)
      SELECT a.id, $2, $3, '{}', a.owner_id, now() + interval '1 day', now(), now() FROM applications a WHERE a.id = $1`,
    [applicationId, deviceId, version],
  );
  return version;
}
