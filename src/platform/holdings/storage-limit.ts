import type { EntityManager } from 'typeorm';
import type { OwnedApplication } from '../access/request.js';
import { countSql } from '../counts/counts.js';
import { assertWithinLimit, limitedOwner } from './limits.js';

/** Stored counts of the bytes that the applications of an owner use. */
const STORED_BYTES = ['storageStats.size', 'fileBytes', 'privateFileBytes'] as const;
export type StoredBytes = (typeof STORED_BYTES)[number];

/** SQL of the total bytes stored by all applications of the owner `t`. */
const USED_BYTES = STORED_BYTES.map((kind) => countSql('t.id', `'${kind}'`, { owner: true })).join(' + ');

/**
 * Throws `400` if the applications of an owner would exceed its storage limit. `more` is the number of bytes to add, or
 * 0 if the transaction has already stored them. Like `assertWithinLimit`, serializes concurrent requests.
 */
export const assertStorageLimit = (
  manager: EntityManager,
  application: Pick<OwnedApplication, 'ownerId' | 'ownerType'>,
  more: number,
): Promise<void> => assertWithinLimit(manager, limitedOwner(application), 'storage', USED_BYTES, [], more);
