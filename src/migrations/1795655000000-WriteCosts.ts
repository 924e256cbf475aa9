import type { MigrationInterface, QueryRunner } from 'typeorm';
import { counterName, countTriggers, rowCount, type CountedRows } from '../platform/counts/count-triggers.js';

const entriesOf = (table: string, holder: string): CountedRows => ({
  table,
  holder,
  amounts: rowCount('auditLogCount'),
});
const LOGS = [entriesOf('audit_logs', 'org_id'), entriesOf('instance_audit_logs', 'instance_id')];
const FOREIGN_KEY = 'FK_8f3655b4b607ce3e7a3fb906784';

const VERSIONS = `experience_versions
  (id, creation_date, last_updated, application_id, version, endpoint_default_cors, allowed_cors_origins, globals, response_headers)`;
const SLUGS = 'experience_slugs (id, creation_date, last_updated, application_id, slug, version_id)';
/** Generates a unique ID with the current time. */
const NEW_ID = `lpad(to_hex(extract(epoch FROM now())::bigint), 8, '0')
  || right(replace(gen_random_uuid()::text, '-', ''), 16)`;
/** `r` is the application. */
const developOf = (r: string): string => `INSERT INTO ${VERSIONS}
  SELECT ${r}.id, ${r}.creation_date, ${r}.creation_date, ${r}.id, 'develop', coalesce(${r}.endpoint_default_cors, false), '[]', '[]', '{}'`;
const ownSlugOf = (r: string): string => `INSERT INTO ${SLUGS}
  SELECT ${r}.id, ${r}.creation_date, ${r}.creation_date, ${r}.id, ${r}.id, ${r}.id`;
const chosenSlugOf = (r: string): string => `INSERT INTO ${SLUGS}
  SELECT ${NEW_ID}, now(), now(), ${r}.id, ${r}.endpoint_slug, ${r}.id`;

/**
 * Makes writes cheaper. Statements that write audit log entries count them, instead of a trigger, and the entries of an
 * organization no longer lock its row through a foreign key. One trigger for each new application replaces two with
 * transition tables.
 */
export class WriteCosts1795655000000 implements MigrationInterface {
  name = 'WriteCosts1795655000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    for (const log of LOGS) await this.recount(queryRunner, { ...log, countedOnInsert: true });
    await queryRunner.query(`ALTER TABLE audit_logs DROP CONSTRAINT "${FOREIGN_KEY}"`);
    for (const name of ['add_experience_versions', 'slugs_of_new_applications'])
      await queryRunner.query(`DROP FUNCTION ${name}() CASCADE`);
    await queryRunner.query(`CREATE FUNCTION add_experience() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        ${developOf('NEW')};
        ${ownSlugOf('NEW')};
        IF NEW.endpoint_slug IS NOT NULL THEN ${chosenSlugOf('NEW')}; END IF;
        RETURN NULL;
      END $$`);
    await queryRunner.query(`CREATE TRIGGER add_experience AFTER INSERT ON applications
      FOR EACH ROW EXECUTE FUNCTION add_experience()`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP FUNCTION add_experience() CASCADE');
    const bodies = {
      add_experience_versions: `${developOf('r')} FROM come r`,
      slugs_of_new_applications: `${ownSlugOf('r')} FROM come r; ${chosenSlugOf('r')} FROM come r WHERE r.endpoint_slug IS NOT NULL`,
    };
    for (const [name, body] of Object.entries(bodies)) {
      await queryRunner.query(`CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN ${body}; RETURN NULL; END $$`);
      await queryRunner.query(`CREATE TRIGGER ${name} AFTER INSERT ON applications
        REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION ${name}()`);
    }
    await queryRunner.query(`ALTER TABLE audit_logs ADD CONSTRAINT "${FOREIGN_KEY}"
      FOREIGN KEY (org_id) REFERENCES orgs(id) ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID`);
    for (const log of LOGS) await this.recount(queryRunner, log);
  }

  private async recount(queryRunner: QueryRunner, log: CountedRows): Promise<void> {
    await queryRunner.query(`DROP FUNCTION ${counterName(log)}() CASCADE`);
    for (const statement of countTriggers(log)) await queryRunner.query(statement);
  }
}
