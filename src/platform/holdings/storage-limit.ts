import type { EntityManager } from 'typeorm';
import type { OwnedApplication } from '../access/request.js';
import { countSql } from '../counts/counts.js';
import { demandWithinLimit, limitedOwner } from './limits.js';

/** The kept counts that are bytes which the applications of an owner store. */
const STORED_BYTES = ['storageStats.size', 'fileBytes', 'privateFileBytes'] as const;
export type StoredBytes = (typeof STORED_BYTES)[number];

/** SQL of the bytes that all applications of the owner `t` store. */
const USED = STORED_BYTES.map((kind) => countSql('t.id', `'${kind}'`, { owner: true })).join(' + ');

/**
 * 400 where the applications of an owner would store more bytes than its limit allows. `more` are to come, 0 where the
 * transaction has stored them already. As with `demandWithinLimit` those that come at once come one after another.
 */
export const demandStorage = (
  manager: EntityManager,
  application: Pick<OwnedApplication, 'ownerId' | 'ownerType'>,
  more: number,
): Promise<void> => demandWithinLimit(manager, limitedOwner(application), 'storage', USED, [], more);
