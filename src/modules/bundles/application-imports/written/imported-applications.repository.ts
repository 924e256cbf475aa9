import { Injectable } from '@nestjs/common';
import type { OwnedApplication } from '../../../../platform/access/request.js';
import { writeEntry } from '../../../../platform/audit/audit.js';
import type { Author } from '../../../../platform/audit/author.js';
import type { Changes } from '../../../../platform/database/changes.js';
import type { Transaction } from '../../../../platform/database/database.js';
import { insertion, prepared, returning, update } from '../../../../platform/database/statements.js';
import { NotFound } from '../../../../lib/errors/errors.js';
import {
  Application,
  type ApplicationGlobal,
} from '../../../applications/applications/application.resource.js';
import type { ImportTask } from '../asked/import-task.js';

const NAME = `SELECT t.name FROM applications t WHERE t.id = $1 AND t.owner_id = $2 AND t.deleted_at IS NULL FOR SHARE`;

const SOURCE = `SELECT t.id, t.name, t.owner_id, t.owner_type FROM applications t WHERE t.id = $1`;

const APPLIED = `UPDATE applications SET applied_template_ids = coalesce(applied_template_ids, '[]') || to_jsonb($3::text), last_updated = now()
  WHERE id = $1 AND owner_id = $2 AND NOT coalesce(applied_template_ids, '[]') ? $3`;

type NamedApplication = OwnedApplication & { name: string };

/** Writes applications that are created by imports or imported into. */
@Injectable()
export class ImportedApplicationsRepository {
  /** Inserts a new application. Returns `false` if an earlier attempt at the import has already created it. */
  async add(row: Changes<Application>, transaction: Transaction): Promise<boolean> {
    const { text, values } = insertion(Application, 'applications', row);
    const once = { text: `${text} ON CONFLICT (id) DO NOTHING`, values };
    return (await transaction.run(returning(once, 't.id'))).length > 0;
  }

  /**
   * Returns the name of an application and locks it against deletion until the transaction ends. Throws `404` if
   * absent.
   */
  async nameOf({ id, ownerId }: OwnedApplication, transaction: Transaction): Promise<string> {
    const [row] = await transaction.run(prepared(NAME, [id, ownerId]));
    if (!row) throw new NotFound('Application');
    return row[0]!;
  }

  /** Updates the globals of a locked application. */
  async setGlobals(
    { id, ownerId }: OwnedApplication,
    globals: readonly ApplicationGlobal[],
    transaction: Transaction,
  ): Promise<void> {
    const changes = { globals: [...globals], lastUpdated: new Date() };
    const where = ['t.id = $1', 't.owner_id = $2', 't.deleted_at IS NULL'];
    await transaction.run(
      returning(update(Application, 'applications', changes, where, [id, ownerId]), 't.id'),
    );
  }

  /** Records that a template was applied. Idempotent. */
  async recordTemplate(
    { id, ownerId }: OwnedApplication,
    templateId: string,
    transaction: Transaction,
  ): Promise<void> {
    await transaction.run(prepared(APPLIED, [id, ownerId, templateId]));
  }

  /**
   * Writes entries to the audit logs of the organizations that own the target and the source, because data leaves the
   * source. If both have the same owner, writes one entry about the application that the request names.
   */
  async log(
    { application, isNew, source }: ImportTask,
    name: string,
    by: Author,
    transaction: Transaction,
  ): Promise<void> {
    const written: NamedApplication = { ...application, name };
    const [from] =
      source.type === 'fromApplication'
        ? await transaction.rows<NamedApplication>(prepared(SOURCE, [source.applicationId]))
        : [];
    const told = new Set<string>();
    for (const each of isNew ? [from, written] : [written, from]) {
      if (each?.ownerType !== 'organization' || told.has(each.ownerId)) continue;
      told.add(each.ownerId);
      await writeEntry(transaction.manager, by, {
        organization: { id: each.ownerId, primary: { type: 'Application', id: each.id, name: each.name } },
        response: { id: application.id },
        // The first declared status of a clone is that of a dry run, which is not logged.
        ...(isNew ? { status: 201 } : {}),
      });
    }
  }
}
