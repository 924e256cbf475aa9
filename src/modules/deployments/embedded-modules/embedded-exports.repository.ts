import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { NO_BUNDLE } from '../embedded-deployments/embedded-deployment.resource.js';
import type { Target } from './embedded-modules.repository.js';

/** Which deployments are meant: one that is named, or all. */
export interface MeantDeployments {
  applicationId: string;
  embeddedDeploymentId?: string;
  deviceId?: string;
}

/** A device that is to run something. */
export interface DeployedDevice extends Target {
  deviceName: string;
  applicationName: string;
}

/** What embedded devices are to run, as exports look at it. */
@Injectable()
export class EmbeddedExportsRepository {
  constructor(private readonly database: Database) {}

  /** The devices that are to run something, in the order of their ids, and at most so many of them. */
  find(
    { applicationId, embeddedDeploymentId, deviceId }: MeantDeployments,
    most: number,
  ): Promise<DeployedDevice[]> {
    const values: unknown[] = [applicationId, NO_BUNDLE, most];
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
