import type { EntityManager } from 'typeorm';
import type { OwnedApplication } from '../access/request.js';
import { countSql } from '../counts/counts.js';
import { demandWithinLimit, limitedOwner } from './limits.js';

/** Stored counts of the bytes that the applications of an owner use. */
const STORED_BYTES = ['storageStats.size', 'fileBytes', 'privateFileBytes'] as const;
export type StoredBytes = (typeof STORED_BYTES)[number];

/** SQL of the total bytes stored by all applications of the owner `t`. */
const USED = STORED_BYTES.map((kind) => countSql('t.id', `'${kind}'`, { owner: true })).join(' + ');

/**
 * Throws `400` if the applications of an owner would exceed its storage limit. `more` is the number of bytes to add, or
 * 0 if the transaction has already stored them. Like `demandWithinLimit`, serializes concurrent requests.
 */
export const demandStorage = (
  manager: EntityManager,
  application: Pick<OwnedApplication, 'ownerId' | 'ownerType'>,
  more: number,
): Promise<void> => demandWithinLimit(manager, limitedOwner(application), 'storage', USED, [], more);
