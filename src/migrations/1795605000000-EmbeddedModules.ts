import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds modules that are compiled, or waiting to be compiled, for devices. */
export class EmbeddedModules1795605000000 implements MigrationInterface {
  name = 'EmbeddedModules1795605000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE embedded_modules (application_id text NOT NULL,
        device_id text NOT NULL, bundle_version text NOT NULL, recipe text NOT NULL, status text NOT NULL DEFAULT 'wanted',
        due_at timestamptz NOT NULL, attempts integer NOT NULL DEFAULT 0, asked_at timestamptz(3),
        gzip boolean NOT NULL DEFAULT false, made_at timestamptz(3) NOT NULL, error text, content text,
        bytes integer NOT NULL DEFAULT 0, facts jsonb,
        CONSTRAINT "PK_dc07584889bb6cbda699d8e2de8" PRIMARY KEY (application_id, device_id, bundle_version, recipe),
        CONSTRAINT "FK_c2b6c6e648b443966afc21ba0e1" FOREIGN KEY (application_id) REFERENCES applications (id) ON DELETE CASCADE)`,
    );
    await queryRunner.query(
      `CREATE INDEX embedded_modules_due ON embedded_modules (due_at) WHERE status = 'wanted'`,
    );
    await queryRunner.query('CREATE INDEX embedded_modules_by_making ON embedded_modules (made_at)');
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE embedded_modules');
  }
}
