import type { MigrationInterface, QueryRunner } from 'typeorm';
import { counterName, countTriggers, type CountedRows } from '../platform/counts/count-triggers.js';
import { inBatches } from '../platform/database/migrate.js';

const TABLE = 'experience_versions';
const COUNTED: CountedRows = {
  table: TABLE,
  holder: 'application_id',
  ofApplications: true,
  amounts: [{ kind: `'experienceVersionCount'`, amount: '1' }],
  where: `r.version <> 'develop'`,
};
const INDEXES: Readonly<Record<string, string>> = {
  experience_versions_by_application: '"application_id", "id"',
  experience_versions_by_version: '"application_id", "version", "id"',
  experience_versions_by_creation: '"application_id", "creation_date", "id"',
  experience_versions_by_change: '"application_id", "last_updated", "id"',
};

/** Inserts the development version of the applications `r`. */
const developOf = (applications: string) => `INSERT INTO ${TABLE}
    (id, creation_date, last_updated, application_id, version, endpoint_default_cors, allowed_cors_origins, globals, response_headers)
  SELECT r.id, r.creation_date, r.creation_date, r.id, 'develop', coalesce(r.endpoint_default_cors, false), '[]', '[]', '{}'
  FROM ${applications} r`;

/** Adds versions of experiences. A database trigger creates the development version of each new application. */
export class ExperienceVersions1795556000000 implements MigrationInterface {
  name = 'ExperienceVersions1795556000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE "${TABLE}" (
      "id" text NOT NULL,
      "creation_date" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "last_updated" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "created_by_id" text,
      "created_by_type" text,
      "last_updated_by_id" text,
      "last_updated_by_type" text,
      "application_id" text NOT NULL,
      "version" text NOT NULL,
      "description" text,
      "endpoint_default_cors" boolean NOT NULL,
      "allowed_cors_origins" jsonb NOT NULL,
      "globals" jsonb NOT NULL,
      "not_found_reply" jsonb,
      "unauthorized_reply" jsonb,
      "response_headers" jsonb NOT NULL,
      CONSTRAINT "PK_dfed10a64a2752b99404463f445" PRIMARY KEY ("id")
    )`);
    await inBatches(
      queryRunner,
      'applications',
      (which) => `${developOf('applications')} WHERE ${which}`,
    );
    await queryRunner.query(
      `CREATE UNIQUE INDEX "experience_versions_name" ON "${TABLE}" ("application_id", "version")`,
    );
    for (const [name, columns] of Object.entries(INDEXES))
      await queryRunner.query(`CREATE INDEX "${name}" ON "${TABLE}" (${columns})`);
    await queryRunner.query(`ALTER TABLE "${TABLE}" ADD CONSTRAINT "FK_b8fe1ea2e58eb27ab0491d8074d"
      FOREIGN KEY ("application_id") REFERENCES "applications"("id") ON DELETE CASCADE ON UPDATE NO ACTION`);
    await queryRunner.query(`CREATE FUNCTION add_experience_versions() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN ${developOf('come')}; RETURN NULL; END $$`);
    await queryRunner.query(`CREATE TRIGGER add_experience_versions AFTER INSERT ON applications
      REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION add_experience_versions()`);
    for (const statement of countTriggers(COUNTED)) await queryRunner.query(statement);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP FUNCTION ${counterName(COUNTED)} CASCADE`);
    await queryRunner.query('DROP FUNCTION add_experience_versions() CASCADE');
    await queryRunner.query(`DROP TABLE "${TABLE}"`);
  }
}
