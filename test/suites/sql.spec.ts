import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasEntity, sqlIn } from './sql.js';
import { isTestFile } from '../setup/selection.js';

const ROOT = 'src/modules';
const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !isTestFile(file))
  .map((file) => ({ file, family: file.split('/')[1]!, text: readFileSync(join(ROOT, file), 'utf8') }));
const MAY_HAVE_SQL = /\.(?:repository|columns)\.ts$/;

describe('SQL', () => {
  it('is only in repositories and column files, which alone read and write rows', () => {
    const others = files.filter(({ file }) => !MAY_HAVE_SQL.test(file));
    expect(files.length).toBeGreaterThan(150);
    expect(others.flatMap(({ file, text }) => sqlIn(file, text))).toEqual([]);
  });

  it('is in a repository for each family with a table', () => {
    const withTable = new Set(files.filter(({ text }) => hasEntity(text)).map(({ family }) => family));
    const withRepository = new Set(
      files.filter(({ file }) => file.endsWith('.repository.ts')).map(({ family }) => family),
    );
    expect(withTable.size).toBeGreaterThan(10);
    expect([...withTable].filter((family) => !withRepository.has(family))).toEqual([]);
  });
});

describe('The SQL check', () => {
  it.each([
    ['const text = `SELECT t.id FROM notes t WHERE t.id = $1`;', 'has SQL'],
    ["const text = 'DELETE FROM notes';", 'has SQL'],
    ['const text = `${head} ORDER BY t.id`;', 'has SQL'],
    ["const sql = 't.deleted_at IS NULL';", 'has SQL'],
    ["import { prepared } from '../../platform/database/statements.js';", 'prepares statements'],
    ['await manager.query(text);', 'calls manager.query'],
    ['await transaction.manager.update(Note, { id }, { name });', 'calls manager.update'],
    ['await rows.createQueryBuilder().getMany();', 'builds a query'],
    ['class A { constructor(@InjectRepository(Note) rows: Repository<Note>) {} }', 'injects rows'],
  ])('reports %s', (line, what) => {
    expect(sqlIn('notes.service.ts', `const before = 1;\n${line}\n`)).toEqual([
      expect.stringContaining(`notes.service.ts:2 ${what}`),
    ]);
  });

  it.each([
    "throw new ValidationError('note.name is not available');",
    "const description = 'Select one, or none, from the list where it is.';",
    'await writeEntry(manager, by, entry);',
    "@Index('notes_open', { where: 'closed_at IS NULL' }) class Note {}",
    "import { Database } from '../../platform/database/database.js';",
    '// SELECT is for repositories',
  ])('ignores %s', (line) => {
    expect(sqlIn('notes.service.ts', line)).toEqual([]);
  });

  it('detects an entity by its decorator', () => {
    expect(hasEntity("/** One. */\n@Entity('notes')\nexport class Note {}\n")).toBe(true);
    expect(hasEntity("import { Entity } from 'typeorm';\n")).toBe(false);
  });
});
