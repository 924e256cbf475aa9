import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AccessCache } from '../../platform/access/access-cache.js';
import { writeEntry } from '../../platform/audit/audit.js';
import type { Author } from '../../platform/audit/author.js';
import { Database } from '../../platform/database/database.js';
import { NotFound, Unauthorized, ValidationError } from '../../platform/errors/errors.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { User } from './user.entity.js';
import { USER_PURGE } from './users.jobs.js';

const KEPT_DAYS = 30;
const LOCK = `SELECT id, email FROM users WHERE id = $1 AND instance_id = coalesce($2, instance_id) AND permanent_deletion IS NULL FOR UPDATE`;
/** Who decides over places: their rows, the members of each, and the column of a member that names it. */
const PLACES = [
  {
    kind: 'organization',
    table: 'orgs',
    members: 'org_members',
    key: 'org_id',
    there: 'p.deleted_at IS NULL',
  },
  { kind: 'instance', table: 'instances', members: 'instance_members', key: 'instance_id', there: 'true' },
] as const;

/** Whose account is to be deleted. */
export interface AccountToDelete {
  userId: string;
  /** The instance that they must stand in, whose log tells of it; absent when they do it themselves. */
  instanceId?: string;
  /** What messages begin with. */
  at: string;
}

/**
 * Deletes the accounts of users. From that moment they exist for nobody and their address is free; what they have is
 * kept for 30 days, in which it can be taken back.
 */
@Injectable()
export class AccountDeletionService {
  constructor(
    private readonly database: Database,
    private readonly jobs: JobsService,
    private readonly cache: AccessCache,
  ) {}

  async delete({ userId, instanceId, at }: AccountToDelete, by: Author): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const { manager } = transaction;
      const [user] = await manager.query<{ email: string }[]>(LOCK, [userId, instanceId ?? null]);
      if (!user) throw instanceId ? new NotFound('Sandbox') : new Unauthorized();
      await demandOtherAdmins(manager, userId, at);
      const now = new Date();
      const dataDeletion = new Date(now.getTime() + KEPT_DAYS * 24 * 3600_000);
      await manager.update(User, { id: userId }, { permanentDeletion: now, dataDeletion, lastUpdated: now });
      if (instanceId) {
        const primary = { type: 'User', id: userId, name: user.email };
        await writeEntry(manager, by, { instance: { id: instanceId, primary }, response: { id: userId } });
      }
      await this.jobs.enqueue(transaction, USER_PURGE, { userId }, by, { dueAt: dataDeletion });
    });
    // The tokens of the applications in their sandbox go with the user.
    await this.cache.drop(userId);
  }
}

/** Throws 400 where a place would be left without an admin. Places stay locked, so two admins cannot both go at once. */
async function demandOtherAdmins(manager: EntityManager, userId: string, at: string): Promise<void> {
  for (const { kind, table, members, key, there } of PLACES) {
    const places = await manager.query<{ id: string }[]>(
      `SELECT p.id FROM ${table} p JOIN ${members} m ON m.${key} = p.id
       WHERE m.user_id = $1 AND ${there} ORDER BY p.id FOR NO KEY UPDATE OF p`,
      [userId],
    );
    const [left] = await manager.query<{ name: string }[]>(
      `SELECT p.name FROM ${table} p JOIN ${members} own ON own.${key} = p.id AND own.user_id = $2 AND own.role = 'admin'
       WHERE p.id = ANY($1) AND NOT EXISTS (
         SELECT FROM ${members} m JOIN users u ON u.id = m.user_id AND u.permanent_deletion IS NULL
         WHERE m.${key} = p.id AND m.role = 'admin' AND m.user_id <> $2) LIMIT 1`,
      [places.map(({ id }) => id), userId],
    );
    if (left)
      throw new ValidationError(`${at} is the last admin of the ${kind} ${JSON.stringify(left.name)}`);
  }
}
