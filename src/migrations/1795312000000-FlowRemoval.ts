import type { MigrationInterface, QueryRunner } from 'typeorm';
import { counterName, countTriggers, type CountedRows } from '../platform/counts/count-triggers.js';

/** Tables of a workflow's data, with the foreign key that deleted their rows together with the workflow. */
const HELD = {
  flow_runs: 'FK_843b75f7ea7ecfac5328976968f',
  flow_storage: 'FK_352c0b03a58346db06e711ad6f3',
  flow_versions: 'FK_fe99aaf35d2a0808554d5014d67',
} as const;

const VERSIONS: CountedRows = {
  table: 'flow_versions',
  holder: 'flow_id',
  amounts: [{ kind: `'versionCount'`, amount: '1' }],
};
/** A subquery instead of `EXISTS`, which the planner may turn into a join with all workflows. */
const THERE = '(SELECT true FROM flows f WHERE f.id = r.flow_id)';

/** Removes the data of a workflow in batches after the workflow is deleted. */
export class FlowRemoval1795312000000 implements MigrationInterface {
  name = 'FlowRemoval1795312000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    for (const [table, key] of Object.entries(HELD))
      await queryRunner.query(`ALTER TABLE "${table}" DROP CONSTRAINT "${key}"`);
    await this.count(queryRunner, { ...VERSIONS, where: THERE });
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    for (const [table, key] of Object.entries(HELD)) {
      await queryRunner.query(`DELETE FROM ${table} r WHERE ${THERE} IS NULL`);
      await queryRunner.query(`
        ALTER TABLE "${table}"
        ADD CONSTRAINT "${key}" FOREIGN KEY ("flow_id") REFERENCES "flows"("id") ON DELETE CASCADE ON UPDATE NO ACTION`);
    }
    await this.count(queryRunner, VERSIONS);
  }

  private async count(queryRunner: QueryRunner, rows: CountedRows): Promise<void> {
    await queryRunner.query(`DROP FUNCTION ${counterName(rows)} CASCADE`);
    for (const statement of countTriggers(rows)) await queryRunner.query(statement);
  }
}
