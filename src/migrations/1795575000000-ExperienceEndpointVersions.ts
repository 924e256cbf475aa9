import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the copies of endpoints, and of the groups whose users may call them, in experience versions. */
export class ExperienceEndpointVersions1795575000000 implements MigrationInterface {
  name = 'ExperienceEndpointVersions1795575000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE "experience_endpoint_versions" (
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
      "version_id" text NOT NULL,
      CONSTRAINT "PK_f353ab9b3fa296a17d11faf62c5" PRIMARY KEY ("id", "version_id"),
      CONSTRAINT "FK_108b8ffa44936980cb3beddc355" FOREIGN KEY ("application_id") REFERENCES "applications"("id") ON DELETE CASCADE ON UPDATE NO ACTION,
      CONSTRAINT "FK_8b1f0d8ba67b4fef8a78f71a8cc" FOREIGN KEY ("version_id") REFERENCES "experience_versions"("id") ON DELETE CASCADE ON UPDATE NO ACTION
    )`);
    await queryRunner.query('CREATE INDEX "experience_endpoint_versions_by_application" ON "experience_endpoint_versions" ("application_id")');
    await queryRunner.query('CREATE INDEX "experience_endpoint_versions_by_id" ON "experience_endpoint_versions" ("version_id", "id")');
    await queryRunner.query(`CREATE TABLE experience_endpoint_version_groups (
      version_id text NOT NULL,
      endpoint_id text NOT NULL,
      group_id text NOT NULL REFERENCES experience_groups (id) ON DELETE CASCADE,
      PRIMARY KEY (version_id, endpoint_id, group_id),
      FOREIGN KEY (endpoint_id, version_id) REFERENCES experience_endpoint_versions (id, version_id) ON DELETE CASCADE
    )`);
    await queryRunner.query(
      'CREATE INDEX experience_endpoint_version_groups_by_group ON experience_endpoint_version_groups (group_id, version_id)',
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE experience_endpoint_version_groups');
    await queryRunner.query('DROP TABLE "experience_endpoint_versions"');
  }
}
