import { encodedRow } from '../../../test/doubles/encoded-row.js';
import { listStatement, readPage, type ListOptions } from './list-sql.js';
import type { ListParameters } from './list-query.js';

const parameters: ListParameters = { sortField: 'name', sortDirection: 'asc', page: 2, perPage: 50 };
const options: ListOptions = {
  table: 'flows',
  columns: 't.id, t.name',
  where: ['t.application_id = $1'],
  values: ['575ec8687ae143cd83dc4a97'],
  sortColumns: { name: 't.name', id: 't.id' },
  filterColumns: { name: 't.name' },
  parameters,
};

describe('listStatement', () => {
  it('reads page and total in one statement', () => {
    const { text, values } = listStatement(options);
    expect(text.replace(/\s+/g, ' ')).toBe(
      'SELECT p.id, t.id, t.name, n.total FROM (SELECT (SELECT count(*) FROM flows t WHERE t.application_id = $1) AS total) n ' +
        'LEFT JOIN (SELECT t.id, t.name AS sorted FROM flows t WHERE t.application_id = $1 ' +
        'ORDER BY t.name ASC, t.id ASC LIMIT $2::bigint OFFSET $3::bigint) p ON true ' +
        'LEFT JOIN LATERAL (SELECT * FROM flows r WHERE r.id = p.id OFFSET 0) t ON true ORDER BY p.sorted ASC, p.id ASC',
    );
    expect(values).toEqual(['575ec8687ae143cd83dc4a97', 50, 100]);
  });

  it('binds the filter as an escaped pattern', () => {
    const filter = "100%' OR true --*";
    const { text, values } = listStatement({
      ...options,
      parameters: { ...parameters, filterField: 'name', filter },
    });
    expect(text).toContain("WHERE t.application_id = $1 AND t.name ILIKE $2 ESCAPE '\\'");
    expect(text).not.toContain('OR true');
    expect(values).toEqual(['575ec8687ae143cd83dc4a97', "100\\%' OR true --%", 50, 100]);
  });

  it('executes the search once, for both the page and the total', () => {
    const { text } = listStatement({
      ...options,
      total: '7',
      holders: { ids: '$1', column: 't.owner_id', where: [] },
      parameters: { ...parameters, filterField: 'name', filter: 'a' },
    });
    expect(text.replace(/\s+/g, ' ')).toBe(
      'WITH found AS MATERIALIZED (SELECT t.id, t.name AS sorted FROM flows t ' +
        "WHERE t.application_id = $1 AND t.name ILIKE $2 ESCAPE '\\') " +
        'SELECT p.id, t.id, t.name, n.total FROM (SELECT (SELECT count(*) FROM found) AS total) n ' +
        'LEFT JOIN (SELECT t.id, t.sorted FROM found t ORDER BY t.sorted ASC, t.id ASC ' +
        'LIMIT $3::bigint OFFSET $4::bigint) p ON true ' +
        'LEFT JOIN LATERAL (SELECT * FROM flows r WHERE r.id = p.id OFFSET 0) t ON true ORDER BY p.sorted ASC, p.id ASC',
    );
  });

  it('breaks ties by ID in the same direction, and does not sort by ID twice', () => {
    const order = (sortField: string, sortDirection: 'asc' | 'desc') =>
      /ORDER BY (.*) LIMIT/.exec(
        listStatement({ ...options, parameters: { ...parameters, sortField, sortDirection } }).text,
      )?.[1];
    expect(order('name', 'desc')).toBe('t.name DESC, t.id DESC');
    expect(order('id', 'desc')).toBe('t.id DESC, t.id DESC');
  });

  it('is marked as shaped: its text is the same for each page, but differs with a filter', () => {
    const { text } = listStatement(options);
    const other = listStatement({
      ...options,
      values: ['575ec8687ae143cd83dc4a98'],
      parameters: { ...parameters, page: 7 },
    });
    const filtered = listStatement({
      ...options,
      parameters: { ...parameters, filterField: 'name', filter: 'a' },
    });
    expect(other).toMatchObject({ shaped: true, text });
    expect(filtered).toMatchObject({ shaped: true });
    expect(filtered.text).not.toBe(text);
  });

  it('is not named if it has an advanced query, which replaces the filter', () => {
    const filtered = { ...parameters, filterField: 'name', filter: 'a*' };
    const { name, text, values } = listStatement({
      ...options,
      parameters: filtered,
      condition: 't.name = $2',
      values: ['x', 'y'],
    });
    expect(name).toBeUndefined();
    expect(text).toContain('WHERE t.application_id = $1 AND t.name = $2');
    expect(values).toEqual(['x', 'y', 50, 100]);
  });

  it('rejects unknown columns and does not modify its options', () => {
    expect(() =>
      listStatement({ ...options, parameters: { ...parameters, sortField: 'constructor' } }),
    ).toThrow('constructor has no column');
    expect(options.values).toHaveLength(1);
    expect(options.where).toHaveLength(1);
  });
});

describe('readPage', () => {
  it('reads the total from the end of a row and drops the leading ID', () => {
    const { rows, total } = readPage([encodedRow(['1', 'a', 'Pump', '120'])]);
    expect({ rows: rows.map((row) => row.texts()), total }).toEqual({ rows: [['a', 'Pump']], total: 120 });
  });

  it('returns no rows past the end and if nothing matches', () => {
    expect(readPage([encodedRow([null, null, null, '100'])])).toEqual({ rows: [], total: 100 });
    expect(readPage([encodedRow([null, null, null, '0'])])).toEqual({ rows: [], total: 0 });
  });
});
