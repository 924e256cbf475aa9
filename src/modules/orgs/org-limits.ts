import type { EntityManager } from 'typeorm';
import { countSql } from '../../platform/counts/counts.js';
import { DEFAULT_LIMITS, demandWithinLimit } from '../../platform/limits.js';
import { Instance } from '../instances/instance.resource.js';

const ORGANIZATIONS = countSql('t.id', `'orgCount'`);

/**
 * The limits that a new organization of the instance starts with. Throws 400 where the instance has no room for it; call
 * it in the transaction that makes it.
 */
export async function limitsOfNewOrg(manager: EntityManager, instanceId: string): Promise<object> {
  await demandWithinLimit(manager, { table: 'instances', id: instanceId }, 'organization', ORGANIZATIONS);
  const { orgDefaultLimitConfig } = await manager.findOneByOrFail(Instance, { id: instanceId });
  return orgDefaultLimitConfig ?? DEFAULT_LIMITS;
}
