import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Identifies the key with which secrets are encrypted. */
export class SecretsKeyCheck1795635000003 implements MigrationInterface {
  name = 'SecretsKeyCheck1795635000003';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'CREATE TABLE secrets_key_checks (id integer NOT NULL DEFAULT 1, digest text NOT NULL, CONSTRAINT secrets_key_checks_pkey PRIMARY KEY (id), CONSTRAINT secrets_key_checks_single CHECK (id = 1))',
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE secrets_key_checks');
  }
}
