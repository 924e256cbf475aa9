import type { MigrationInterface, QueryRunner } from 'typeorm';
import { counterName, countTriggers, type CountedRows } from '../platform/counts/count-triggers.js';

const COUNTED: CountedRows = {
  table: 'devices',
  holder: 'application_id',
  ofApplications: true,
  amounts: [{ kind: `'deviceCount:' || r.device_class`, amount: '1' }],
  where: 'r.deleted_at IS NULL',
  updated: true,
};

const LIVE = 'WHERE deleted_at IS NULL';
const INDEXES: Readonly<Record<string, string>> = {
  devices_by_name: `(application_id, name, id) ${LIVE}`,
  devices_by_id: `(application_id, id) ${LIVE}`,
  devices_by_creation: `(application_id, creation_date, id) ${LIVE}`,
  devices_by_change: `(application_id, last_updated, id) ${LIVE}`,
  devices_of_class_by_name: `(application_id, device_class, name, id) ${LIVE}`,
  devices_of_class_by_id: `(application_id, device_class, id) ${LIVE}`,
  devices_of_class_by_creation: `(application_id, device_class, creation_date, id) ${LIVE}`,
  devices_of_class_by_change: `(application_id, device_class, last_updated, id) ${LIVE}`,
  devices_deleted: '(application_id, deleted_at, id) WHERE deleted_at IS NOT NULL',
  devices_below: '(parent_id, name, id) WHERE parent_id IS NOT NULL',
  devices_through: '(gateway_id, name, id) WHERE gateway_id IS NOT NULL',
};

/**
 * Search data of devices that PostgreSQL maintains for all writers: each table with its columns and its rows per
 * device.
 */
const SEARCHED = [
  {
    table: 'device_tags',
    from: 'tags',
    rows: (devices: string) => `SELECT DISTINCT d.application_id, d.id, t.key, t.value, d.deleted_at IS NOT NULL
      FROM ${devices} d CROSS JOIN LATERAL jsonb_to_recordset(d.tags) t (key text, value text)`,
  },
  {
    table: 'device_attribute_names',
    from: 'attributes',
    rows: (
      devices: string,
    ) => `SELECT d.application_id, d.id, a.name, a."dataType", d.deleted_at IS NOT NULL
      FROM ${devices} d CROSS JOIN LATERAL jsonb_to_recordset(d.attributes) a (name text, "dataType" text)`,
  },
] as const;

const fn = (name: string, body: string) =>
  `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} RETURN NULL; END $$`;

/** Adds devices and the search data of their tags and attributes. */
export class Devices1795400000000 implements MigrationInterface {
  name = 'Devices1795400000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE "devices" (
      "id" text NOT NULL,
      "creation_date" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "last_updated" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "application_id" text NOT NULL,
      "name" text NOT NULL,
      "description" text,
      "tags" jsonb NOT NULL,
      "attributes" jsonb NOT NULL,
      "device_class" text NOT NULL,
      "gateway_id" text,
      "parent_id" text,
      "system_interval" integer,
      "keep_duplicates" boolean NOT NULL,
      "edge_agent_version" text,
      "deleted_at" TIMESTAMP(3) WITH TIME ZONE,
      "attribute_numbers" jsonb NOT NULL DEFAULT '{}',
      "next_attribute_number" integer NOT NULL DEFAULT 1,
      CONSTRAINT "PK_b1514758245c12daf43486dd1f0" PRIMARY KEY ("id")
    )`);
    for (const [name, columns] of Object.entries(INDEXES))
      await queryRunner.query(`CREATE INDEX ${name} ON devices ${columns}`);
    await queryRunner.query(`
      ALTER TABLE "devices"
      ADD CONSTRAINT "FK_482b24fdc935ff496a87dc8d373" FOREIGN KEY ("application_id") REFERENCES "applications"("id") ON DELETE CASCADE ON UPDATE NO ACTION`);
    // Sorted by bytes (collation "C"), names with the same prefix are adjacent.
    await queryRunner.query(`CREATE TABLE device_tags (
      application_id text NOT NULL,
      device_id text NOT NULL,
      key text COLLATE "C" NOT NULL,
      value text COLLATE "C" NOT NULL,
      deleted boolean NOT NULL
    )`);
    await queryRunner.query('CREATE UNIQUE INDEX device_tags_of ON device_tags (device_id, key, value)');
    await queryRunner.query(
      'CREATE INDEX device_tags_by_key ON device_tags (application_id, key, value, deleted, device_id)',
    );
    await queryRunner.query(
      'CREATE INDEX device_tags_by_value ON device_tags (application_id, value, device_id)',
    );
    await queryRunner.query(`CREATE TABLE device_attribute_names (
      application_id text NOT NULL,
      device_id text NOT NULL,
      name text COLLATE "C" NOT NULL,
      data_type text NOT NULL,
      deleted boolean NOT NULL
    )`);
    await queryRunner.query(
      'CREATE UNIQUE INDEX device_attribute_names_of ON device_attribute_names (device_id, name)',
    );
    await queryRunner.query(
      'CREATE INDEX device_attribute_names_by_name ON device_attribute_names (application_id, name, data_type, deleted, device_id)',
    );
    for (const { table, from, rows } of SEARCHED) {
      const drop = `DELETE FROM ${table} WHERE device_id`;
      await queryRunner.query(fn(`add_${table}`, `INSERT INTO ${table} ${rows('come')};`));
      await queryRunner.query(
        fn(`change_${table}`, `${drop} = NEW.id; INSERT INTO ${table} ${rows('(SELECT NEW.*)')};`),
      );
      await queryRunner.query(fn(`drop_${table}`, `${drop} = ANY (ARRAY(SELECT id FROM gone));`));
      await queryRunner.query(`CREATE TRIGGER add_${table} AFTER INSERT ON devices
        REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION add_${table}()`);
      await queryRunner.query(`CREATE TRIGGER change_${table} AFTER UPDATE ON devices FOR EACH ROW
        WHEN (NEW.${from} <> OLD.${from} OR (NEW.deleted_at IS NULL) <> (OLD.deleted_at IS NULL))
        EXECUTE FUNCTION change_${table}()`);
      await queryRunner.query(`CREATE TRIGGER drop_${table} AFTER DELETE ON devices
        REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION drop_${table}()`);
    }
    for (const statement of countTriggers(COUNTED)) await queryRunner.query(statement);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP FUNCTION ${counterName(COUNTED)} CASCADE`);
    await queryRunner.query('DROP TABLE "devices"');
    for (const { table } of SEARCHED) {
      for (const change of ['add', 'change', 'drop'])
        await queryRunner.query(`DROP FUNCTION ${change}_${table}()`);
      await queryRunner.query(`DROP TABLE ${table}`);
    }
  }
}
