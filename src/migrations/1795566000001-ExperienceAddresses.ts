import type { MigrationInterface, QueryRunner } from 'typeorm';
import { counterName, countTriggers, type CountedRows } from '../platform/counts/count-triggers.js';
import { inBatches } from '../platform/database/migrate.js';

const SLUGS = 'experience_slugs';
const DOMAINS = 'experience_domains';
const counted = (table: string, count: string): CountedRows => ({
  table,
  holder: 'application_id',
  ofApplications: true,
  amounts: [{ kind: `'${count}'`, amount: '1' }],
});
const COUNTED: readonly CountedRows[] = [
  { ...counted(SLUGS, 'experienceSlugCount'), where: 'r.slug <> r.application_id' },
  counted(DOMAINS, 'experienceDomainCount'),
];

const COMMON = `
      "id" text NOT NULL,
      "creation_date" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "last_updated" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "application_id" text NOT NULL,
      "version_id" text,`;
const FOREIGN_KEYS: readonly (readonly [table: string, name: string, column: string, target: string])[] = [
  [SLUGS, 'FK_0182be37c2395bb3092eb005804', 'application_id', 'applications'],
  [SLUGS, 'FK_903cba2044fa46cc0c2660e21fc', 'version_id', 'experience_versions'],
  [DOMAINS, 'FK_31d72449a9f3bd47f45abafdcb9', 'application_id', 'applications'],
  [DOMAINS, 'FK_db1f570004c0c0bb280ab327800', 'version_id', 'experience_versions'],
];

const COLUMNS = '(id, creation_date, last_updated, application_id, slug, version_id)';
/**
 * Inserts the slug of each application `r` that equals its ID. Its row has the same ID and points to the version
 * `develop`, which also has that ID.
 */
const ownOf = (applications: string): string => `INSERT INTO ${SLUGS} ${COLUMNS}
  SELECT r.id, r.creation_date, r.creation_date, r.id, r.id, r.id FROM ${applications} r`;
/** Generates a unique ID with the current time. */
const NEW_ID = `lpad(to_hex(extract(epoch FROM now())::bigint), 8, '0')
  || right(replace(gen_random_uuid()::text, '-', ''), 16)`;
/** Inserts the slug that was chosen when application `r` was created. */
const chosenOf = (applications: string): string => `INSERT INTO ${SLUGS} ${COLUMNS}
  SELECT ${NEW_ID}, now(), now(), r.id, r.endpoint_slug, r.id FROM ${applications} r WHERE r.endpoint_slug IS NOT NULL`;

/**
 * Adds the addresses of experiences. A trigger creates the slug that equals the application ID for each new
 * application. Changes of `endpoint_slug` and of its slug row are synchronized in both directions.
 */
export class ExperienceAddresses1795566000001 implements MigrationInterface {
  name = 'ExperienceAddresses1795566000001';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE "${SLUGS}" (${COMMON}
      "slug" text NOT NULL,
      CONSTRAINT "PK_b4d0c5d5c606731fe30371722a6" PRIMARY KEY ("id")
    )`);
    await queryRunner.query(`CREATE TABLE "${DOMAINS}" (${COMMON}
      "domain_name" text NOT NULL,
      "ssl_cert" text,
      "ssl_bundle" text,
      "ssl_key_sealed" text,
      CONSTRAINT "PK_ddffea35d6a571ad73ddd02cff5" PRIMARY KEY ("id")
    )`);
    await inBatches(queryRunner, 'applications', (which) => `${ownOf('applications')} WHERE ${which}`);
    await queryRunner.query(`CREATE UNIQUE INDEX "experience_slugs_slug" ON "${SLUGS}" ("slug")`);
    // A chosen slug that equals the ID of another application, which was not checked before, stays with that
    // application.
    await inBatches(
      queryRunner,
      'applications',
      (which) => `${chosenOf('applications')} AND ${which} ON CONFLICT DO NOTHING`,
    );
    await queryRunner.query(
      `CREATE INDEX "experience_slugs_by_slug" ON "${SLUGS}" ("application_id", "slug", "id")`,
    );
    await queryRunner.query(`CREATE INDEX "experience_slugs_by_version" ON "${SLUGS}" ("version_id", "slug")`);
    await queryRunner.query(`CREATE UNIQUE INDEX "experience_domains_name" ON "${DOMAINS}" ("domain_name")`);
    await queryRunner.query(
      `CREATE INDEX "experience_domains_by_name" ON "${DOMAINS}" ("application_id", "domain_name", "id")`,
    );
    await queryRunner.query(
      `CREATE INDEX "experience_domains_by_version" ON "${DOMAINS}" ("version_id", "domain_name")`,
    );
    for (const [table, name, column, target] of FOREIGN_KEYS)
      await queryRunner.query(`ALTER TABLE "${table}" ADD CONSTRAINT "${name}" FOREIGN KEY ("${column}")
        REFERENCES "${target}"("id") ON DELETE ${target === 'applications' ? 'CASCADE' : 'SET NULL'} ON UPDATE NO ACTION`);
    await this.keepSlugs(queryRunner);
    for (const counts of COUNTED)
      for (const statement of countTriggers(counts)) await queryRunner.query(statement);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    for (const name of ['slugs_of_new_applications', 'slug_of_application', 'application_of_slug'])
      await queryRunner.query(`DROP FUNCTION ${name}() CASCADE`);
    for (const counts of COUNTED) {
      await queryRunner.query(`DROP FUNCTION ${counterName(counts)} CASCADE`);
      await queryRunner.query(`DROP TABLE "${counts.table}"`);
    }
  }

  /** The last two triggers do nothing if the other has already made the change, which ends their recursion. */
  private async keepSlugs(queryRunner: QueryRunner): Promise<void> {
    // Triggers fire in alphabetical order, so this one fires after the trigger that creates `develop`.
    await queryRunner.query(`CREATE FUNCTION slugs_of_new_applications() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN ${ownOf('come')}; ${chosenOf('come')}; RETURN NULL; END $$`);
    await queryRunner.query(`CREATE TRIGGER slugs_of_new_applications AFTER INSERT ON applications
      REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION slugs_of_new_applications()`);
    await queryRunner.query(`CREATE FUNCTION slug_of_application() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW.endpoint_slug IS NULL THEN
          DELETE FROM ${SLUGS} WHERE application_id = NEW.id AND slug = OLD.endpoint_slug;
        ELSIF OLD.endpoint_slug IS NULL THEN
          INSERT INTO ${SLUGS} ${COLUMNS} VALUES (${NEW_ID}, now(), now(), NEW.id, NEW.endpoint_slug, NEW.id);
        ELSE
          UPDATE ${SLUGS} SET slug = NEW.endpoint_slug, last_updated = now()
          WHERE application_id = NEW.id AND slug = OLD.endpoint_slug;
        END IF;
        RETURN NULL;
      END $$`);
    await queryRunner.query(`CREATE TRIGGER slug_of_application AFTER UPDATE OF endpoint_slug ON applications
      FOR EACH ROW WHEN (NEW.endpoint_slug IS DISTINCT FROM OLD.endpoint_slug) EXECUTE FUNCTION slug_of_application()`);
    await queryRunner.query(`CREATE FUNCTION application_of_slug() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE applications SET last_updated = now(),
          endpoint_slug = CASE TG_OP WHEN 'UPDATE' THEN NEW.slug END
        WHERE id = OLD.application_id AND endpoint_slug = OLD.slug;
        RETURN NULL;
      END $$`);
    await queryRunner.query(`CREATE TRIGGER application_of_slug AFTER DELETE OR UPDATE OF slug ON ${SLUGS}
      FOR EACH ROW WHEN (OLD.slug <> OLD.application_id) EXECUTE FUNCTION application_of_slug()`);
  }
}
