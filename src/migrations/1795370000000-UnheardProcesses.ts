import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds processes that cannot notify other processes of their changes. */
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
