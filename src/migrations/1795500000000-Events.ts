import type { MigrationInterface, QueryRunner } from 'typeorm';
import { counterName, countTriggers, type CountedRows } from '../platform/counts/count-triggers.js';

const COUNTED: CountedRows = {
  table: 'events',
  holder: 'application_id',
  ofApplications: true,
  amounts: [{ kind: `'eventCount:' || r.state`, amount: '1' }],
  updated: true,
};

const INDEXES: Readonly<Record<string, string>> = {
  events_by_creation: '(application_id, creation_date, id)',
  events_by_id: '(application_id, id)',
  events_by_state: '(application_id, state, id)',
  events_of_state_by_creation: '(application_id, state, creation_date, id)',
  events_of_state_by_change: '(application_id, state, last_updated, id)',
  events_of_state_by_subject: '(application_id, state, subject, id)',
  events_of_state_by_level: '(application_id, state, level, id)',
  events_of_state_by_device: '(application_id, state, device_id, id)',
  events_new: `(application_id, level, creation_date, id) WHERE state = 'new'`,
};

/** Adds events and their updates. */
export class Events1795500000000 implements MigrationInterface {
  name = 'Events1795500000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    // In sort order: lists sort by enum position.
    await queryRunner.query(`CREATE TYPE event_level AS ENUM ('info', 'warning', 'error', 'critical')`);
    await queryRunner.query(`CREATE TYPE event_state AS ENUM ('new', 'acknowledged', 'resolved')`);
    await queryRunner.query(`
      CREATE TABLE "events" (
        "id" text NOT NULL,
        "creation_date" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
        "last_updated" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
        "application_id" text NOT NULL,
        "level" event_level NOT NULL,
        "state" event_state NOT NULL,
        "subject" text NOT NULL,
        "message" text,
        "device_id" text,
        "device_name" text,
        "event_tags" jsonb NOT NULL,
        "disable_tag_change_tracking" boolean NOT NULL,
        "data" jsonb,
        "source_type" text NOT NULL,
        "source_id" text NOT NULL,
        "source_name" text,
        "update_count" integer NOT NULL DEFAULT 0,
        CONSTRAINT "PK_40731c7151fe4be3116e45ddf73" PRIMARY KEY ("id")
      )`);
    for (const [name, columns] of Object.entries(INDEXES))
      await queryRunner.query(`CREATE INDEX ${name} ON events ${columns}`);
    await queryRunner.query(`
      ALTER TABLE "events" ADD CONSTRAINT "FK_d682e6004909b59ceec39aa3d34" FOREIGN KEY ("application_id") REFERENCES "applications"("id")
      ON DELETE CASCADE ON UPDATE NO ACTION`);
    await queryRunner.query(`
      CREATE TABLE "event_updates" (
        "event_id" text NOT NULL,
        "number" integer NOT NULL,
        "content" jsonb NOT NULL,
        "job_id" text,
        CONSTRAINT "PK_event_updates" PRIMARY KEY ("event_id", "number")
      )`);
    await queryRunner.query(`
      ALTER TABLE "event_updates" ADD CONSTRAINT "FK_b08eea0f214f2e84ac6341cfe5d" FOREIGN KEY ("event_id") REFERENCES "events"("id")
      ON DELETE CASCADE ON UPDATE NO ACTION`);
    // One application may own most of the rows. With statistics based on that, look-ups of others would scan the whole
    // table.
    await queryRunner.query('ALTER TABLE events ALTER COLUMN application_id SET (n_distinct = -0.01)');
    await queryRunner.query('ALTER TABLE event_updates ALTER COLUMN event_id SET (n_distinct = -0.01)');
    for (const statement of countTriggers(COUNTED)) await queryRunner.query(statement);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP FUNCTION ${counterName(COUNTED)} CASCADE`);
    await queryRunner.query('DROP TABLE "event_updates"');
    await queryRunner.query('DROP TABLE "events"');
    await queryRunner.query('DROP TYPE event_state');
    await queryRunner.query('DROP TYPE event_level');
  }
}
