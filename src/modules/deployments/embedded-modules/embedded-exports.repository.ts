import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { NO_BUNDLE } from '../embedded-deployments/embedded-deployment.resource.js';
import type { Target } from './embedded-modules.repository.js';

/** Selects one deployment or all of an application. */
export interface DeploymentSelection {
  applicationId: string;
  embeddedDeploymentId?: string;
  deviceId?: string;
}

/** Device with a desired bundle. */
export interface DeployedDevice extends Target {
  deviceName: string;
  applicationName: string;
}

/** Finds the desired bundles for exports. */
@Injectable()
export class EmbeddedExportsRepository {
  constructor(private readonly database: Database) {}

  /** Returns up to `max` devices with a desired bundle in order of ID. */
  find(
    { applicationId, embeddedDeploymentId, deviceId }: DeploymentSelection,
    max: number,
  ): Promise<DeployedDevice[]> {
    const values: unknown[] = [applicationId, NO_BUNDLE, max];
    const named = [
      ...(deviceId === undefined ? [] : [`t.device_id = $${values.push(deviceId)}`]),
      ...(embeddedDeploymentId === undefined ? [] : [`t.id = $${values.push(embeddedDeploymentId)}`]),
    ];
    const conditions = ['t.application_id = $1', 't.deleted_at IS NULL', 't.desired_bundle_version <> $2'];
    const text = `SELECT t.device_id, t.desired_bundle_version AS bundle_version, d.name AS device_name, a.name AS application_name
      FROM embedded_deployments t JOIN devices d ON d.id = t.device_id JOIN applications a ON a.id = t.application_id
      WHERE ${[...conditions, ...named].join(' AND ')} ORDER BY t.device_id LIMIT $3`;
    return this.database.rows({ text, values });
  }
}
