import type { MigrationInterface, QueryRunner } from 'typeorm';
import { counterName, countTriggers, type CountedRows } from '../platform/counts/count-triggers.js';

const VIEWS = 'experience_views';
const KEPT = 'experience_view_versions';
const COUNTED: CountedRows = {
  table: VIEWS,
  holder: 'application_id',
  ofApplications: true,
  amounts: [{ kind: `'experienceViewCount:' || r.view_type`, amount: '1' }],
};

const COLUMNS = `
      "id" text NOT NULL,
      "creation_date" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "last_updated" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "created_by_id" text,
      "created_by_type" text,
      "last_updated_by_id" text,
      "last_updated_by_type" text,
      "application_id" text NOT NULL,
      "view_type" text NOT NULL,
      "name" text NOT NULL,
      "description" text,
      "body" text NOT NULL,
      "layout_id" text,
      "headers" jsonb NOT NULL,
      "view_tags" jsonb NOT NULL,`;
/** Indexes that sort the list of all views and the list of the views of one type. */
const INDEXES: Readonly<Record<string, string>> = {
  by_name: '"name", "id"',
  by_creation: '"creation_date", "id"',
  by_change: '"last_updated", "id"',
  of_type: '"view_type", "id"',
  of_type_by_name: '"view_type", "name", "id"',
  of_type_by_creation: '"view_type", "creation_date", "id"',
  of_type_by_change: '"view_type", "last_updated", "id"',
};

const key = (table: string, name: string, column: string, to: string, onDelete = 'CASCADE') =>
  `ALTER TABLE "${table}" ADD CONSTRAINT "${name}"
    FOREIGN KEY ("${column}") REFERENCES "${to}"("id") ON DELETE ${onDelete} ON UPDATE NO ACTION`;

/** Adds views of experiences, and their copies in versions. */
export class ExperienceViews1795565000000 implements MigrationInterface {
  name = 'ExperienceViews1795565000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE "${VIEWS}" (${COLUMNS}
      CONSTRAINT "PK_edf76ebca0ef627cae549462824" PRIMARY KEY ("id")
    )`);
    await queryRunner.query(`CREATE TABLE "${KEPT}" (${COLUMNS}
      "version_id" text NOT NULL,
      CONSTRAINT "PK_8127d8c126fbce1e38d8716e871" PRIMARY KEY ("id", "version_id")
    )`);
    for (const [name, columns] of Object.entries(INDEXES)) {
      await queryRunner.query(`CREATE INDEX "${VIEWS}_${name}" ON "${VIEWS}" ("application_id", ${columns})`);
      await queryRunner.query(`CREATE INDEX "${KEPT}_${name}" ON "${KEPT}" ("version_id", ${columns})`);
    }
    for (const statement of [
      `CREATE UNIQUE INDEX "experience_views_name" ON "${VIEWS}" ("application_id", "view_type", "name")`,
      `CREATE INDEX "experience_views_by_application" ON "${VIEWS}" ("application_id", "id")`,
      `CREATE INDEX "experience_views_by_layout" ON "${VIEWS}" ("layout_id") WHERE layout_id IS NOT NULL`,
      `CREATE INDEX "experience_view_versions_by_id" ON "${KEPT}" ("version_id", "id")`,
      `CREATE INDEX "experience_view_versions_by_application" ON "${KEPT}" ("application_id")`,
      key(VIEWS, 'FK_03ac2d17e37b95e81b230fadd15', 'application_id', 'applications'),
      key(VIEWS, 'FK_92f8b092a8ef3796d6e37341444', 'layout_id', VIEWS, 'SET NULL'),
      key(KEPT, 'FK_0764690c3d0451b10f6b211f871', 'application_id', 'applications'),
      key(KEPT, 'FK_421c41a9f8ce93bafbbe747f4b2', 'version_id', 'experience_versions'),
      ...countTriggers(COUNTED),
    ])
      await queryRunner.query(statement);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP FUNCTION ${counterName(COUNTED)} CASCADE`);
    for (const table of [KEPT, VIEWS]) await queryRunner.query(`DROP TABLE "${table}"`);
  }
}
