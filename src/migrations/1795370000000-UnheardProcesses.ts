import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Processes that cannot tell others what they changed. */
export class UnheardProcesses1795370000000 implements MigrationInterface {
  name = 'UnheardProcesses1795370000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'CREATE TABLE unheard_processes (id text PRIMARY KEY, until timestamptz NOT NULL)',
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE unheard_processes');
  }
}
