import { nextTimestamp, register } from '../../scripts/migration.js';

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
