import type { MigrationInterface, QueryRunner } from 'typeorm';
import { counterName, countTriggers, type CountedRows } from '../platform/counts/count-triggers.js';

const COUNTED: CountedRows = {
  table: 'experience_endpoints',
  holder: 'application_id',
  ofApplications: true,
  amounts: [{ kind: `'experienceEndpointCount'`, amount: '1' }],
};
const REQUESTS = `endpoint_id text NOT NULL,
      version text NOT NULL,
      domain text NOT NULL,
      status_code smallint NOT NULL`;

/**
 * Adds the endpoints of experiences. PostgreSQL maintains the patterns that routes match, unique in an application, and
 * the sums of requests, to which workers add recorded deltas.
 */
export class ExperienceEndpoints1795560000000 implements MigrationInterface {
  name = 'ExperienceEndpoints1795560000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE "experience_endpoints" (
      "id" text NOT NULL,
      "creation_date" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "last_updated" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "created_by_id" text,
      "created_by_type" text,
      "last_updated_by_id" text,
      "last_updated_by_type" text,
      "application_id" text NOT NULL,
      "method" text NOT NULL,
      "route" text NOT NULL,
      "description" text,
      "enabled" boolean NOT NULL,
      "access" text NOT NULL,
      "device_id_template" text,
      "endpoint_tags" jsonb NOT NULL,
      "static_reply" jsonb,
      "unauthorized_reply" jsonb,
      "patterns" text array NOT NULL,
      "precedence" text NOT NULL,
      CONSTRAINT "PK_91c3ac89da1bbb11a451aedd4da" PRIMARY KEY ("id"),
      CONSTRAINT "FK_658d56ac5d7f5781d06fce65021" FOREIGN KEY ("application_id") REFERENCES "applications"("id") ON DELETE CASCADE ON UPDATE NO ACTION
    )`);
    await queryRunner.query(
      'CREATE INDEX "experience_endpoints_by_application" ON "experience_endpoints" ("application_id", "id")',
    );
    await queryRunner.query(`CREATE TABLE experience_routes (
      application_id text NOT NULL,
      method text NOT NULL,
      pattern text NOT NULL,
      endpoint_id text NOT NULL REFERENCES experience_endpoints (id) ON DELETE CASCADE,
      CONSTRAINT experience_routes_taken PRIMARY KEY (application_id, method, pattern)
    )`);
    await queryRunner.query('CREATE INDEX experience_routes_by_endpoint ON experience_routes (endpoint_id)');
    await queryRunner.query(`CREATE FUNCTION keep_experience_routes() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF TG_OP = 'UPDATE' THEN DELETE FROM experience_routes WHERE endpoint_id = NEW.id; END IF;
      INSERT INTO experience_routes (application_id, method, pattern, endpoint_id)
        SELECT NEW.application_id, NEW.method, p.pattern, NEW.id FROM unnest(NEW.patterns) p (pattern);
      RETURN NULL; END $$`);
    await queryRunner.query(`CREATE TRIGGER keep_experience_routes AFTER INSERT OR UPDATE OF method, patterns
      ON experience_endpoints FOR EACH ROW EXECUTE FUNCTION keep_experience_routes()`);
    for (const statement of countTriggers(COUNTED)) await queryRunner.query(statement);
    await queryRunner.query(`CREATE TABLE "experience_request_sums" (
      "application_id" text NOT NULL,
      "minutes" smallint NOT NULL,
      "until" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      ${REQUESTS},
      "requests" bigint NOT NULL,
      CONSTRAINT "PK_96875d9d2645d60927d09d3d3e1" PRIMARY KEY ("application_id", "minutes", "until", "endpoint_id", "version", "domain", "status_code"),
      CONSTRAINT "FK_344791d1563ca83a1e2efd89c1b" FOREIGN KEY ("application_id") REFERENCES "applications"("id") ON DELETE CASCADE ON UPDATE NO ACTION
    ) WITH (fillfactor = 70)`);
    await queryRunner.query(
      'CREATE INDEX "experience_request_sums_by_age" ON "experience_request_sums" ("until")',
    );
    await queryRunner.query(`CREATE TABLE experience_request_deltas (
      application_id text NOT NULL,
      until timestamptz(3) NOT NULL,
      ${REQUESTS},
      requests bigint NOT NULL
    ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000,
      autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 10000)`);
    await queryRunner.query(
      'CREATE INDEX experience_request_deltas_by_application ON experience_request_deltas (application_id, until)',
    );
    // A few applications may own most of the rows. With statistics based on that, look-ups of others would scan the
    // whole table.
    for (const table of ['experience_request_sums', 'experience_request_deltas'])
      await queryRunner.query(`ALTER TABLE ${table} ALTER COLUMN application_id SET (n_distinct = -0.01)`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE experience_request_deltas');
    await queryRunner.query('DROP TABLE "experience_request_sums"');
    await queryRunner.query(`DROP FUNCTION ${counterName(COUNTED)} CASCADE`);
    await queryRunner.query('DROP FUNCTION keep_experience_routes CASCADE');
    await queryRunner.query('DROP TABLE experience_routes');
    await queryRunner.query('DROP TABLE "experience_endpoints"');
  }
}
