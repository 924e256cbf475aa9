import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the results of the effects of runs that are not finished. */
export class RunEffects1795685000000 implements MigrationInterface {
  name = 'RunEffects1795685000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    // Rows live as long as those of `run_inbox`.
    await queryRunner.query(`CREATE TABLE run_effects (
      seq bigint NOT NULL,
      id text NOT NULL,
      result text NOT NULL,
      PRIMARY KEY (seq, id)
    ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000)`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE run_effects');
  }
}
