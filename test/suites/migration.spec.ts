import { rowCount } from '../../src/platform/counts/count-triggers.js';
import { nextTimestamp, register, withCounters } from '../../scripts/migration.js';

const files = ['1795243305122-Foundation.ts', '1795635000001-ModuleTurns.ts', 'index.ts'];

describe('nextTimestamp', () => {
  it('is the present if every migration is older', () => {
    expect(nextTimestamp(files, 1795635000009)).toBe(1795635000009);
  });

  it('is later than the newest migration even if that lies in the future', () => {
    expect(nextTimestamp(files, 1795635000001)).toBe(1795635000002);
    expect(nextTimestamp(files, 1790000000000)).toBe(1795635000002);
  });
});

describe('register', () => {
  it('imports the migration and lists it last', () => {
    const index = `import { A1 } from './1-A.js';

/** Every migration, oldest first. */
export const migrations = [
  A1,
];
`;
    expect(register(index, 'B2', '2-B.ts')).toBe(`import { A1 } from './1-A.js';
import { B2 } from './2-B.js';

/** Every migration, oldest first. */
export const migrations = [
  A1,
  B2,
];
`);
  });
});

describe('withCounters', () => {
  const source = `import type { MigrationInterface, QueryRunner } from "typeorm";

export class Notes1 implements MigrationInterface {
    public async up(queryRunner: QueryRunner): Promise<void> {
        await queryRunner.query('CREATE TABLE "notes" ()');
    }

    public async down(queryRunner: QueryRunner): Promise<void> {
        await queryRunner.query('DROP TABLE "notes"');
    }

}
`;

  it('creates the counters last and drops them first', () => {
    const rows = { table: 'notes', holder: 'application_id', amounts: rowCount('noteCount') };
    const written = withCounters(source, [rows]);
    expect(written).toContain(`const COUNTED: CountedRows[] = ${JSON.stringify([rows])};`);
    const order = [
      'COUNTED: ',
      'export class',
      'CREATE TABLE',
      'countTriggers(rows)',
      'down(',
      'DROP FUNCTION',
      'DROP TABLE',
    ];
    expect(order.map((part) => written.lastIndexOf(part))).toEqual(
      order.map((part) => written.lastIndexOf(part)).toSorted((a, b) => a - b),
    );
    expect(order.every((part) => written.includes(part))).toBe(true);
  });

  it('changes nothing if the database has all counters', () => {
    expect(withCounters(source, [])).toBe(source);
  });
});
