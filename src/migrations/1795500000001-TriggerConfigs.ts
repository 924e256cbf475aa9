import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS = 'application_id, key, type, version, flow_id, flow_version_id, config';
const BEFORE = ['deviceId', 'deviceTag'];
const NOW = [...BEFORE, 'appFile', 'dataTable', 'event'];

/** As created by the earlier migration, with the conditions of these trigger types added. */
const configOf = (types: readonly string[]) =>
  `CASE WHEN t.type IN (${types.map((type) => `'${type}'`).join(', ')}) THEN t.config END`;
const ofFlows = (flows: string, types: readonly string[]) => `SELECT DISTINCT f.application_id, t.key, t.type,
    d.version, f.id, d.version_id, ${configOf(types)}
  FROM ${flows} f CROSS JOIN LATERAL (VALUES ('develop', NULL, f.triggers), ('default', f.default_version_id,
    CASE WHEN f.default_version_id IS NULL THEN f.triggers
      ELSE (SELECT v.triggers FROM flow_versions v WHERE v.id = f.default_version_id) END)) d (version, version_id, triggers)
  CROSS JOIN LATERAL jsonb_to_recordset(d.triggers) t (type text, key text, config jsonb)`;
const ofVersions = (versions: string, types: readonly string[]) => `SELECT DISTINCT v.application_id, t.key, t.type,
    n.version, v.flow_id, v.id, ${configOf(types)}
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

const functions = (types: readonly string[]) => [
  replaced('add_flow_triggers', `${add(ofFlows('come', types))};`),
  replaced('change_flow_triggers', `${dropOfFlow} ${add(ofFlows('(SELECT NEW.*)', types))};`),
  replaced('add_version_triggers', `${add(ofVersions('come', types))};`),
  replaced('change_version_triggers', `${dropOfVersion} ${add(ofVersions('(SELECT NEW.*)', types))};`),
];

/** Adds the conditions of event, data table and file triggers to the trigger index. */
export class TriggerConfigs1795500000001 implements MigrationInterface {
  name = 'TriggerConfigs1795500000001';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await this.make(queryRunner, NOW);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await this.make(queryRunner, BEFORE);
  }

  private async make(queryRunner: QueryRunner, types: readonly string[]): Promise<void> {
    for (const made of functions(types)) await queryRunner.query(made);
    await queryRunner.query('TRUNCATE flow_triggers');
    await queryRunner.query(add(`${ofFlows('flows', types)} UNION ${ofVersions('flow_versions', types)}`));
  }
}
