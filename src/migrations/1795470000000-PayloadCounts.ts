import type { MigrationInterface, QueryRunner } from 'typeorm';

const STEP = `"hours" smallint NOT NULL,
  "start" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  "type" text NOT NULL,
  "channel" text NOT NULL,
  "n" bigint NOT NULL,
  "bytes" bigint NOT NULL`;

const forgetCounts = (tables: readonly string[]) => `CREATE OR REPLACE FUNCTION forget_counts() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      ${tables.map((table) => `DELETE FROM ${table} WHERE holder_id = ANY (ARRAY(SELECT id FROM gone));`).join('\n      ')}
      RETURN NULL;
    END $$`;

/**
 * Additions and removals per day of a count. Workers write them when they apply deltas, which therefore carry a time.
 */
const DAYS = [
  'ALTER TABLE count_deltas ADD COLUMN time timestamptz NOT NULL DEFAULT now()',
  `CREATE TABLE count_days (
    holder_id text NOT NULL,
    kind text NOT NULL,
    day timestamptz NOT NULL,
    added bigint NOT NULL,
    removed bigint NOT NULL,
    total bigint NOT NULL,
    PRIMARY KEY (holder_id, kind, day)
  ) WITH (fillfactor = 70)`,
  'CREATE INDEX count_days_by_age ON count_days (day)',
  forgetCounts(['count_deltas', 'kept_counts', 'count_days']),
];

/**
 * Adds payload counts. Senders and receivers only insert deltas, so that they do not block each other. Workers add the
 * deltas to hourly and daily sums of applications, devices, owners and instances. Also stores the number of devices at
 * the end of each day.
 */
export class PayloadCounts1795470000000 implements MigrationInterface {
  name = 'PayloadCounts1795470000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE "payload_deltas" (
        "application_id" text NOT NULL,
        "owner_id" text NOT NULL,
        "device_id" text,
        "time" timestamptz NOT NULL DEFAULT now(),
        "type" text NOT NULL,
        "channel" text NOT NULL,
        "n" bigint NOT NULL,
        "bytes" bigint NOT NULL
      ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000,
        autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 10000)`);
    await queryRunner.query(
      'CREATE INDEX payload_deltas_by_application ON payload_deltas (application_id, device_id)',
    );
    await queryRunner.query('CREATE INDEX payload_deltas_by_owner ON payload_deltas (owner_id)');
    await queryRunner.query(`
      CREATE TABLE "application_payload_sums" (
        "application_id" text NOT NULL,
        "device_id" text NOT NULL,
        ${STEP},
        CONSTRAINT "PK_9676b56784171a91a6b95f2639d" PRIMARY KEY ("application_id", "device_id", "hours", "start", "type", "channel")
      ) WITH (fillfactor = 70)`);
    await queryRunner.query(
      'CREATE INDEX "application_payload_sums_by_age" ON "application_payload_sums" ("hours", "start")',
    );
    await queryRunner.query(`
      ALTER TABLE "application_payload_sums"
      ADD CONSTRAINT "FK_6ecfec40ea9461c3283973af69e" FOREIGN KEY ("application_id") REFERENCES "applications"("id") ON DELETE CASCADE ON UPDATE NO ACTION`);
    await queryRunner.query(`
      CREATE TABLE "owner_payload_sums" (
        "owner_id" text NOT NULL,
        ${STEP},
        CONSTRAINT "PK_702ec736b6ae8a3b613ce2bf630" PRIMARY KEY ("owner_id", "hours", "start", "type", "channel")
      ) WITH (fillfactor = 70)`);
    await queryRunner.query(
      'CREATE INDEX "owner_payload_sums_by_age" ON "owner_payload_sums" ("hours", "start")',
    );
    for (const statement of DAYS) await queryRunner.query(statement);
    // A few holders may own most of the rows. With statistics based on that, look-ups of other holders would scan the
    // whole table.
    for (const [table, column] of HOLDERS)
      await queryRunner.query(`ALTER TABLE ${table} ALTER COLUMN ${column} SET (n_distinct = -0.01)`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(forgetCounts(['count_deltas', 'kept_counts']));
    await queryRunner.query('ALTER TABLE count_deltas DROP COLUMN time');
    await queryRunner.query('DROP TABLE count_days');
    await queryRunner.query('DROP TABLE "owner_payload_sums"');
    await queryRunner.query('DROP TABLE "application_payload_sums"');
    await queryRunner.query('DROP TABLE "payload_deltas"');
  }
}

const HOLDERS = [
  ['payload_deltas', 'application_id'],
  ['payload_deltas', 'owner_id'],
  ['application_payload_sums', 'application_id'],
  ['owner_payload_sums', 'owner_id'],
  ['count_days', 'holder_id'],
] as const;
