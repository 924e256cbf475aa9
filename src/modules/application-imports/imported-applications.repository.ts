import { Injectable } from '@nestjs/common';
import type { OwnedApplication } from '../../platform/access/request.js';
import { writeEntry } from '../../platform/audit/audit.js';
import type { Author } from '../../platform/audit/author.js';
import type { Changes } from '../../platform/database/changes.js';
import type { Transaction } from '../../platform/database/database.js';
import { insertion, prepared, returning, update } from '../../platform/database/statements.js';
import { NotFound } from '../../platform/errors/errors.js';
import { Application, type ApplicationGlobal } from '../applications/application.resource.js';

const NAME = `SELECT t.name FROM applications t WHERE t.id = $1 AND t.owner_id = $2 AND t.deleted_at IS NULL FOR SHARE`;

const APPLIED = `UPDATE applications SET applied_template_ids = coalesce(applied_template_ids, '[]') || to_jsonb($3::text), last_updated = now()
  WHERE id = $1 AND owner_id = $2 AND NOT coalesce(applied_template_ids, '[]') ? $3`;

/** The rows of applications that are made of bundles, or imported into. */
@Injectable()
export class ImportedApplicationsRepository {
  /** Stores a new application; false where it is there: an import that begins again has made it. */
  async add(row: Changes<Application>, transaction: Transaction): Promise<boolean> {
    const { text, values } = insertion(Application, 'applications', row);
    const once = { text: `${text} ON CONFLICT (id) DO NOTHING`, values };
    return (await transaction.run(returning(once, 't.id'))).length > 0;
  }

  /** The name of an application that nobody deletes until the transaction ends, or 404. */
  async nameOf({ id, ownerId }: OwnedApplication, transaction: Transaction): Promise<string> {
    const [row] = await transaction.run(prepared(NAME, [id, ownerId]));
    if (!row) throw new NotFound('Application');
    return row[0]!;
  }

  /** Changes the globals of an application that is locked. */
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

  /** Notes that an application has what a template holds, once however often that is applied. */
  async noteTemplate(
    { id, ownerId }: OwnedApplication,
    templateId: string,
    transaction: Transaction,
  ): Promise<void> {
    await transaction.run(prepared(APPLIED, [id, ownerId, templateId]));
  }

  /** The entry in the log of the organization. */
  async log(
    { id, ownerId, ownerType }: OwnedApplication,
    name: string,
    by: Author,
    { manager }: Transaction,
  ): Promise<void> {
    if (ownerType !== 'organization') return;
    await writeEntry(manager, by, {
      organization: { id: ownerId, primary: { type: 'Application', id, name } },
    });
  }
}
