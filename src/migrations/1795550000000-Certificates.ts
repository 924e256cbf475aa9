import type { MigrationInterface, QueryRunner } from 'typeorm';
import { counterName, countTriggers, type CountedRows } from '../platform/counts/count-triggers.js';

const counted = (table: string, count: string): CountedRows => ({
  table,
  holder: 'application_id',
  ofApplications: true,
  amounts: [{ kind: `'${count}'`, amount: '1' }],
});
const AUTHORITIES = 'application_certificate_authorities';
const CERTIFICATES = 'application_certificates';
const COUNTED = [counted(AUTHORITIES, 'certificateAuthorityCount'), counted(CERTIFICATES, 'certificateCount')];

const INDEXES: Readonly<Record<string, string>> = {
  by_id: '"application_id", "id"',
  by_creation: '"application_id", "creation_date", "id"',
  by_change: '"application_id", "last_updated", "id"',
  by_status: '"application_id", "status", "id"',
};
const COMMON = `
      "id" text NOT NULL,
      "creation_date" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "last_updated" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "application_id" text NOT NULL,
      "status" text NOT NULL,
      "description" text,`;

const ofApplication = (table: string, name: string) => `ALTER TABLE "${table}" ADD CONSTRAINT "${name}"
  FOREIGN KEY ("application_id") REFERENCES "applications"("id") ON DELETE CASCADE ON UPDATE NO ACTION`;

/** Adds device certificates of applications and the authorities that signed them. */
export class Certificates1795550000000 implements MigrationInterface {
  name = 'Certificates1795550000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE "${AUTHORITIES}" (${COMMON}
      "name" text NOT NULL,
      "ca_bundle" text NOT NULL,
      "ca_info" jsonb NOT NULL,
      "subject_keys" text array NOT NULL,
      CONSTRAINT "PK_92453804840ab6b7af58a07dee1" PRIMARY KEY ("id")
    )`);
    await queryRunner.query(`CREATE TABLE "${CERTIFICATES}" (${COMMON}
      "certificate" text NOT NULL,
      "certificate_info" jsonb NOT NULL,
      "device_ids" jsonb NOT NULL,
      "device_tags" jsonb NOT NULL,
      "filter_type" text NOT NULL,
      "pub_topics" jsonb NOT NULL,
      "sub_topics" jsonb NOT NULL,
      "certificate_info_common_name" text,
      "digest" text NOT NULL,
      CONSTRAINT "PK_6d2cbecc688213ee06f230120d8" PRIMARY KEY ("id")
    )`);
    for (const [index, columns] of Object.entries(INDEXES)) {
      await queryRunner.query(`CREATE INDEX "certificate_authorities_${index}" ON "${AUTHORITIES}" (${columns})`);
      await queryRunner.query(`CREATE INDEX "certificates_${index}" ON "${CERTIFICATES}" (${columns})`);
    }
    await queryRunner.query(
      `CREATE INDEX "certificate_authorities_by_name" ON "${AUTHORITIES}" ("application_id", "name", "id")`,
    );
    await queryRunner.query(
      `CREATE INDEX "certificate_authorities_subjects" ON "${AUTHORITIES}" USING gin ("subject_keys")`,
    );
    await queryRunner.query(
      `CREATE INDEX "certificates_by_name" ON "${CERTIFICATES}" ("application_id", "certificate_info_common_name", "id")`,
    );
    await queryRunner.query(
      `CREATE UNIQUE INDEX "certificates_digest" ON "${CERTIFICATES}" ("application_id", "digest")`,
    );
    await queryRunner.query(ofApplication(AUTHORITIES, 'FK_76dc8203b42c66c61af401526e6'));
    await queryRunner.query(ofApplication(CERTIFICATES, 'FK_72cfe42c81f51e94b0061d96c74'));
    for (const counts of COUNTED)
      for (const statement of countTriggers(counts)) await queryRunner.query(statement);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    for (const counts of COUNTED) {
      await queryRunner.query(`DROP FUNCTION ${counterName(counts)} CASCADE`);
      await queryRunner.query(`DROP TABLE "${counts.table}"`);
    }
  }
}
