import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds blobs with an expiry time, such as exports. */
export class TemporaryBlobs1795460000000 implements MigrationInterface {
  name = 'TemporaryBlobs1795460000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'CREATE TABLE "temporary_blobs" ("key" text NOT NULL, "ends_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL, CONSTRAINT "PK_212a7651755999635bd8284bf76" PRIMARY KEY ("key"))',
    );
    await queryRunner.query('CREATE INDEX "temporary_blobs_by_end" ON "temporary_blobs" ("ends_at")');
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE "temporary_blobs"');
  }
}
