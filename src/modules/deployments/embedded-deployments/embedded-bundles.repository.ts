import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { newId } from '../../../platform/repositories/resource.js';
import { DEVELOP } from '../deployments/deployment-change.js';
import { deviceGlobalsSql, loggedSql, CURRENT_TIMESTAMP } from '../deployments/deployment.columns.js';
import type { Bundle } from '../../../workflows/embedded/bundle.js';
import { NO_BUNDLE, type IssuedBundle } from './embedded-deployment.resource.js';

/** Hello message of a device. */
export interface EmbeddedHello {
  /** Identifier of the running bundle, or `nullVersion`. */
  bundle: string;
  /** Compiler options for the next bundle. */
  compilerOptions: object;
}

/** Desired bundle of a device. */
export interface DesiredBundle {
  deploymentId: string;
  /** `nullVersion` if the device is not supposed to run anything. */
  version: string;
  isCurrent: boolean;
  /** Compiler options of the device's last hello; `null` if it never sent one. */
  compilerOptions: object | null;
}

/** A disabled workflow or version is left out of the bundle. */
const DESIRED = `SELECT t.id AS deployment_id, t.desired_bundle_version AS identifier, t.device_id,
    (SELECT coalesce(${deviceGlobalsSql('a.globals')}, '[]') FROM applications a WHERE a.id = t.application_id) AS globals,
    (SELECT coalesce(json_agg(json_build_object('flowId', g.flow_id, 'name', g.name, 'version', g.version, 'graph', g.graph)
        ORDER BY g.flow_id), '[]')
      FROM (SELECT p.flow_id, f.name, p.desired_version AS version, json_build_object('triggers', f.triggers, 'nodes', f.nodes,
          'globals', f.globals, 'minimumAgentVersion', f.minimum_agent_version) AS graph
        FROM embedded_deployment_flows p JOIN flows f ON f.id = p.flow_id
        WHERE p.device_id = t.device_id AND p.desired_version = '${DEVELOP}' AND f.enabled
        UNION ALL SELECT p.flow_id, f.name, p.desired_version, json_build_object('triggers', v.triggers, 'nodes', v.nodes,
          'globals', v.globals, 'minimumAgentVersion', v.minimum_agent_version)
        FROM embedded_deployment_flows p JOIN flows f ON f.id = p.flow_id
        JOIN flow_versions v ON v.flow_id = p.flow_id AND v.version = p.desired_version
        WHERE p.device_id = t.device_id AND f.enabled AND v.enabled) g) AS flows
  FROM embedded_deployments t
  WHERE t.application_id = $1 AND t.device_id = $2 AND t.deleted_at IS NULL`;
const CREATE = `INSERT INTO embedded_deployments (id, application_id, device_id, creation_date, last_updated,
    current_bundle_version, desired_bundle_version, unknown_bundle, logs)
  SELECT $3, d.application_id, d.id, now(), now(), '${NO_BUNDLE}', '${NO_BUNDLE}', false, '[]' FROM devices d
  WHERE d.application_id = $1 AND d.id = $2 AND d.device_class = 'embedded' AND d.deleted_at IS NULL
  ON CONFLICT (device_id) DO NOTHING`;
const LOCK = `SELECT t.id, t.current_bundle_version, t.desired_bundle_version, t.bundles, t.unknown_bundle
  FROM embedded_deployments t WHERE t.application_id = $1 AND t.device_id = $2 AND t.deleted_at IS NULL FOR NO KEY UPDATE`;
/**
 * Records the running workflows. Workflows without a desired version are deleted once the device no longer runs them.
 */
const RUN = `WITH runs AS (SELECT r.key AS flow_id, r.value AS version FROM jsonb_each_text($3::jsonb) r),
  came AS (INSERT INTO embedded_deployment_flows AS p (application_id, device_id, flow_id, current_version)
    SELECT $1, $2, r.flow_id, r.version FROM runs r
    ON CONFLICT (device_id, flow_id) DO UPDATE SET current_version = excluded.current_version
      WHERE p.current_version IS DISTINCT FROM excluded.current_version),
  went AS (DELETE FROM embedded_deployment_flows p WHERE p.device_id = $2 AND p.desired_version IS NULL
    AND p.flow_id NOT IN (SELECT r.flow_id FROM runs r))
  UPDATE embedded_deployment_flows p SET current_version = NULL WHERE p.device_id = $2 AND p.current_version IS NOT NULL
    AND p.desired_version IS NOT NULL AND p.flow_id NOT IN (SELECT r.flow_id FROM runs r)`;
const CHANGED = `UPDATE embedded_deployments t SET last_updated = now(), current_bundle_version = $3, unknown_bundle = $4,
    logs = ${loggedSql(`$5::jsonb || jsonb_build_object('date', ${CURRENT_TIMESTAMP})`, 't.logs')}
  WHERE t.application_id = $1 AND t.device_id = $2`;
const OPTIONS = `UPDATE embedded_deployments t SET compiler_options = $3::jsonb
  WHERE t.application_id = $1 AND t.device_id = $2 AND t.compiler_options IS DISTINCT FROM $3::jsonb`;
const FIND_DESIRED = `SELECT t.id AS deployment_id, t.desired_bundle_version AS version,
    t.desired_bundle_version = t.current_bundle_version AS is_current, t.compiler_options
  FROM embedded_deployments t WHERE t.application_id = $1 AND t.device_id = $2 AND t.deleted_at IS NULL`;
/** A device that keeps asking causes the same failure repeatedly; it is logged once. */
const FAILED = `UPDATE embedded_deployments t SET last_updated = now(),
    logs = ${loggedSql(
      `jsonb_build_object('changeType', 'current', 'date', ${CURRENT_TIMESTAMP}, 'attemptedBundle', $3::text, 'error', $4::text)`,
      't.logs',
    )}
  WHERE t.application_id = $1 AND t.device_id = $2
    AND NOT (t.logs->0 @> jsonb_build_object('attemptedBundle', $3::text, 'error', $4::text)) IS TRUE`;

interface LockedDeployment {
  id: string;
  currentBundleVersion: string;
  desiredBundleVersion: string;
  bundles: readonly IssuedBundle[];
  unknownBundle: boolean;
}

/** Reads the desired bundles of embedded devices, and records what the devices report. */
@Injectable()
export class EmbeddedBundlesRepository {
  constructor(private readonly database: Database) {}

  /** Returns the contents of a device's desired bundle, or `undefined` if it has no deployment. */
  async desired(applicationId: string, deviceId: string): Promise<Bundle | undefined> {
    const [bundle] = await this.database.rows<Bundle>(prepared(DESIRED, [applicationId, deviceId]));
    return bundle;
  }

  /** Returns the desired bundle of a device, or `undefined` if it has no deployment. */
  async findDesired(applicationId: string, deviceId: string): Promise<DesiredBundle | undefined> {
    const [asked] = await this.database.rows<DesiredBundle>(
      prepared(FIND_DESIRED, [applicationId, deviceId]),
    );
    return asked;
  }

  /**
   * Records the running bundle of a device and returns the desired one. Creates a deployment if the device has none.
   * Returns `undefined` if there is no such embedded device.
   */
  hello(
    applicationId: string,
    deviceId: string,
    { bundle, compilerOptions }: EmbeddedHello,
  ): Promise<DesiredBundle | undefined> {
    const of = [applicationId, deviceId];
    return this.database.transaction(async (transaction) => {
      await transaction.run(prepared(CREATE, [...of, newId()]));
      const [deployment] = await transaction.rows<LockedDeployment>(prepared(LOCK, of));
      if (!deployment) return undefined;
      const { desiredBundleVersion: version, bundles } = deployment;
      const issued = bundle === NO_BUNDLE ? {} : bundles.find((known) => known.version === bundle)?.flows;
      const isUnknown = issued === undefined;
      if (bundle !== deployment.currentBundleVersion || isUnknown !== deployment.unknownBundle) {
        await transaction.run(prepared(RUN, [...of, JSON.stringify(issued ?? {})]));
        const entry = { ...reportOf(bundle, isUnknown), sourceType: 'device', sourceId: deviceId };
        await transaction.run(prepared(CHANGED, [...of, bundle, isUnknown, JSON.stringify(entry)]));
      }
      await transaction.run(prepared(OPTIONS, [...of, JSON.stringify(compilerOptions)]));
      return { deploymentId: deployment.id, version, isCurrent: version === bundle, compilerOptions };
    });
  }

  /** Logs why the bundle could not be compiled, or not be loaded by the device. */
  async failed(applicationId: string, deviceId: string, bundle: string, error: string): Promise<void> {
    await this.database.run(prepared(FAILED, [applicationId, deviceId, bundle, error]));
  }
}

/** Returns the log entry for a reported bundle. */
const reportOf = (bundle: string, isUnknown: boolean) => ({
  changeType: 'current',
  updateType: isUnknown ? 'unknownBundle' : 'knownBundle',
  [isUnknown ? 'attemptedBundle' : 'newBundle']: bundle,
});
