import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS = 'application_id, key, type, version, flow_id, flow_version_id, config';
const STATED = `CASE WHEN t.type IN ('deviceId', 'deviceTag') THEN t.config END`;

/** As created by the earlier migration, with the conditions of report triggers added. */
const ofFlows = (flows: string) => `SELECT DISTINCT f.application_id, t.key, t.type, d.version, f.id, d.version_id, ${STATED}
  FROM ${flows} f CROSS JOIN LATERAL (VALUES ('develop', NULL, f.triggers), ('default', f.default_version_id,
    CASE WHEN f.default_version_id IS NULL THEN f.triggers
      ELSE (SELECT v.triggers FROM flow_versions v WHERE v.id = f.default_version_id) END)) d (version, version_id, triggers)
  CROSS JOIN LATERAL jsonb_to_recordset(d.triggers) t (type text, key text, config jsonb)`;
const ofVersions = (versions: string) => `SELECT DISTINCT v.application_id, t.key, t.type, n.version, v.flow_id, v.id, ${STATED}
  FROM ${versions} v CROSS JOIN LATERAL unnest(
    CASE (SELECT f.default_version_id FROM flows f WHERE f.id = v.flow_id) WHEN v.id THEN ARRAY[v.version, 'default']
      ELSE ARRAY[v.version] END) n (version)
  CROSS JOIN LATERAL jsonb_to_recordset(v.triggers) t (type text, key text, config jsonb)`;

const add = (rows: string) => `INSERT INTO flow_triggers (${COLUMNS}) ${rows}`;
const replaced = (name: string, body: string) =>
  `CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} RETURN NULL; END $$`;
const dropOfFlow = `DELETE FROM flow_triggers WHERE flow_id = OLD.id AND version IN ('develop', 'default');`;
const dropOfVersion = `DELETE FROM flow_triggers
  WHERE flow_id = OLD.flow_id AND version IN (OLD.version, 'default') AND flow_version_id = OLD.id;`;

/** Previous definition of the functions: the column list and rows without `config`. */
const without = (sql: string) =>
  sql.replaceAll(', config)', ')').replaceAll(`, ${STATED}`, '').replaceAll(', config jsonb)', ')');

const FUNCTIONS = [
  replaced('add_flow_triggers', `${add(ofFlows('come'))};`),
  replaced('change_flow_triggers', `${dropOfFlow} ${add(ofFlows('(SELECT NEW.*)'))};`),
  replaced('add_version_triggers', `${add(ofVersions('come'))};`),
  replaced('change_version_triggers', `${dropOfVersion} ${add(ofVersions('(SELECT NEW.*)'))};`),
];

/** Selects report triggers by the contents of the report: adds the conditions of each trigger to the trigger index. */
export class DeviceTriggers1795440000000 implements MigrationInterface {
  name = 'DeviceTriggers1795440000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE flow_triggers ADD config jsonb');
    for (const made of FUNCTIONS) await queryRunner.query(made);
    await queryRunner.query('TRUNCATE flow_triggers');
    await queryRunner.query(add(`${ofFlows('flows')} UNION ${ofVersions('flow_versions')}`));
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    for (const made of FUNCTIONS) await queryRunner.query(without(made));
    await queryRunner.query('ALTER TABLE flow_triggers DROP COLUMN config');
  }
}
