import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS = 'application_id, key, type, version, flow_id, flow_version_id';

/**
 * Triggers of workflows: those of the version in development and those of the running version. Other tables are read by
 * key because PostgreSQL caches a plan for the lifetime of the connection, regardless of the values it was created for.
 */
const ofFlows = (flows: string) => `SELECT DISTINCT f.application_id, t.key, t.type, d.version, f.id, d.version_id
  FROM ${flows} f CROSS JOIN LATERAL (VALUES ('develop', NULL, f.triggers), ('default', f.default_version_id,
    CASE WHEN f.default_version_id IS NULL THEN f.triggers
      ELSE (SELECT v.triggers FROM flow_versions v WHERE v.id = f.default_version_id) END)) d (version, version_id, triggers)
  CROSS JOIN LATERAL jsonb_to_recordset(d.triggers) t (type text, key text)`;

/** Triggers of versions under their names, and a second time for the running version. */
const ofVersions = (versions: string) => `SELECT DISTINCT v.application_id, t.key, t.type, n.version, v.flow_id, v.id
  FROM ${versions} v CROSS JOIN LATERAL unnest(
    CASE (SELECT f.default_version_id FROM flows f WHERE f.id = v.flow_id) WHEN v.id THEN ARRAY[v.version, 'default']
      ELSE ARRAY[v.version] END) n (version)
  CROSS JOIN LATERAL jsonb_to_recordset(v.triggers) t (type text, key text)`;

const add = (rows: string) => `INSERT INTO flow_triggers (${COLUMNS}) ${rows}`;
const fn = (name: string, body: string) =>
  `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} RETURN NULL; END $$`;
const dropOfFlow = `DELETE FROM flow_triggers WHERE flow_id = OLD.id AND version IN ('develop', 'default');`;
const dropOfVersion = `DELETE FROM flow_triggers
  WHERE flow_id = OLD.flow_id AND version IN (OLD.version, 'default') AND flow_version_id = OLD.id;`;

/** Adds the index of workflow triggers, which replaces a column. Database triggers keep it current for all writers. */
export class FlowTriggers1795310000000 implements MigrationInterface {
  name = 'FlowTriggers1795310000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE flow_triggers (
      application_id text NOT NULL,
      key text,
      type text NOT NULL,
      version text NOT NULL,
      flow_id text NOT NULL,
      flow_version_id text
    )`);
    // Look-ups always specify application, version and type. Keys may be longer than an index entry allows.
    await queryRunner.query(
      'CREATE INDEX flow_triggers_by_key ON flow_triggers (application_id, version, type, md5(key))',
    );
    await queryRunner.query('CREATE INDEX flow_triggers_by_flow ON flow_triggers (flow_id, version)');
    await queryRunner.query(fn('add_flow_triggers', `${add(ofFlows('come'))};`));
    await queryRunner.query(
      fn('change_flow_triggers', `${dropOfFlow} ${add(ofFlows('(SELECT NEW.*)'))};`),
    );
    await queryRunner.query(fn('drop_flow_triggers', dropOfFlow));
    await queryRunner.query(fn('add_version_triggers', `${add(ofVersions('come'))};`));
    await queryRunner.query(
      fn('change_version_triggers', `${dropOfVersion} ${add(ofVersions('(SELECT NEW.*)'))};`),
    );
    await queryRunner.query(fn('drop_version_triggers', dropOfVersion));
    for (const [table, kind, columns] of [
      ['flows', 'flow', 'triggers, default_version_id'],
      ['flow_versions', 'version', 'triggers'],
    ]) {
      await queryRunner.query(`CREATE TRIGGER add_${kind}_triggers AFTER INSERT ON ${table}
        REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION add_${kind}_triggers()`);
      await queryRunner.query(`CREATE TRIGGER change_${kind}_triggers AFTER UPDATE OF ${columns} ON ${table}
        FOR EACH ROW EXECUTE FUNCTION change_${kind}_triggers()`);
      await queryRunner.query(`CREATE TRIGGER drop_${kind}_triggers AFTER DELETE ON ${table}
        FOR EACH ROW EXECUTE FUNCTION drop_${kind}_triggers()`);
    }
    await queryRunner.query(add(`${ofFlows('flows')} UNION ${ofVersions('flow_versions')}`));
    await queryRunner.query('DROP INDEX "flows_live_triggers"');
    await queryRunner.query('ALTER TABLE "flows" DROP COLUMN "live_triggers"');
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "flows" ADD "live_triggers" jsonb NOT NULL DEFAULT '[]'`);
    await queryRunner.query(`UPDATE flows f SET live_triggers = coalesce((
      SELECT jsonb_agg(jsonb_strip_nulls(jsonb_build_object('type', t.type, 'key', t.key)))
      FROM flow_triggers t WHERE t.flow_id = f.id AND t.version = 'default'), '[]')`);
    await queryRunner.query(
      'CREATE INDEX "flows_live_triggers" ON "flows" USING gin ("live_triggers" jsonb_path_ops)',
    );
    for (const [table, kind] of [
      ['flows', 'flow'],
      ['flow_versions', 'version'],
    ])
      for (const change of ['add', 'change', 'drop']) {
        await queryRunner.query(`DROP TRIGGER ${change}_${kind}_triggers ON ${table}`);
        await queryRunner.query(`DROP FUNCTION ${change}_${kind}_triggers()`);
      }
    await queryRunner.query('DROP TABLE flow_triggers');
  }
}
