import { ValidationError } from '../../lib/errors/errors.js';
import {
  parseBoolean,
  parseChoice,
  parseId,
  parseIdList,
  parseListParameters,
  parseNames,
  parsePage,
  parsePerPage,
  parseSortDirection,
  type ListSpec,
} from './list-query.js';

const ID = '575ec8687ae143cd83dc4a97';
const spec: ListSpec = {
  sort: ['name', 'id', 'creationDate'],
  defaultSort: 'name',
  defaultDirection: 'asc',
  perPage: 100,
  filter: ['name', 'status'],
};
const NOT_TEXT = [['a', 'b'], { a: 'b' }, 7, true, null];

function refusal(parse: () => unknown): string {
  try {
    parse();
  } catch (error) {
    expect(error).toBeInstanceOf(ValidationError);
    return (error as Error).message;
  }
  throw new Error('It was not refused');
}

describe('The advanced query of a list', () => {
  const fields = { name: { kind: 'string', column: 't.name' } } as const;
  const queried: ListSpec = { ...spec, query: { name: 'AdvancedThingQuery', fields, example: {} } };
  const read = (query: object, of = queried) => parseListParameters({ ...query }, of);

  it('replaces the filter and appends its values to existing ones', () => {
    const { condition, ...rest } = read({ query: '{"name":"a"}', filter: 'b', filterField: 'status' });
    expect(rest).toEqual({
      sortField: 'name',
      sortDirection: 'asc',
      page: 0,
      perPage: 100,
      query: { name: 'a' },
    });
    const values: unknown[] = ['mine'];
    expect(condition!(values)).toBe('t.name = $2::text');
    expect(values).toEqual(['mine', 'a']);
  });

  it('is ignored if it is blank, absent or not supported by the list', () => {
    for (const query of [{}, { query: '' }]) {
      expect(read({ ...query, filter: 'b' })).toMatchObject({ filterField: 'name', filter: 'b' });
      expect(read(query).condition).toBeUndefined();
    }
    expect(read({ query: 'x' }, spec).condition).toBeUndefined();
  });

  it('is rejected when it is parsed or compiled', () => {
    expect(refusal(() => read({ query: '{' }))).toBe('query must be valid JSON');
    expect(refusal(() => read({ query: '{"age":1}' }).condition!([]))).toMatch(
      /^query.age is not an attribute/,
    );
    for (const query of NOT_TEXT)
      expect(refusal(() => read({ query }))).toBe('query must be a single string');
  });
});

describe('parsePage and parsePerPage', () => {
  it('accept digits within their range, and return defaults for absent and blank values', () => {
    expect([
      parsePage(undefined),
      parsePage(''),
      parsePage('0'),
      parsePage('007'),
      parsePage('999999999'),
    ]).toEqual([0, 0, 0, 7, 999_999_999]);
    expect([
      parsePerPage(undefined, 50),
      parsePerPage('', 50),
      parsePerPage('1', 50),
      parsePerPage('1000', 50),
    ]).toEqual([50, 50, 1, 1000]);
  });

  it.each([
    '-1',
    '+1',
    '1.0',
    '1e3',
    '0x10',
    ' 1',
    '1 ',
    'abc',
    'NaN',
    'Infinity',
    '1000000000',
    '9007199254740993',
    '١',
    ...NOT_TEXT,
  ])('reject %j', (value) => {
    expect(refusal(() => parsePage(value))).toMatch(/^page must be /);
    expect(refusal(() => parsePerPage(value, 100))).toMatch(/^perPage must be /);
  });

  it('reject page sizes of 0 and above 1000', () => {
    expect(refusal(() => parsePerPage('0', 100))).toBe('perPage must be an integer from 1 to 1000');
    expect(refusal(() => parsePerPage('1001', 100))).toBe('perPage must be an integer from 1 to 1000');
  });
});

describe('parseBoolean', () => {
  it('accepts true, false, 1 and 0, and returns the default for absent and blank values', () => {
    expect(['true', '1', 'false', '0'].map((text) => parseBoolean('dryRun', text, false))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(['True', 'TRUE', 'fAlse'].map((text) => parseBoolean('dryRun', text, false))).toEqual([
      true,
      true,
      false,
    ]);
    expect([parseBoolean('dryRun', undefined, true), parseBoolean('dryRun', '', true)]).toEqual([true, true]);
  });

  it.each(['yes', 'TRUEE', '2', ' true', ...NOT_TEXT])('rejects %j', (value) => {
    expect(refusal(() => parseBoolean('dryRun', value, false))).toMatch(/^dryRun must be /);
  });
});

describe('parseChoice', () => {
  it('accepts the listed choices, case-sensitively', () => {
    expect(parseChoice('flowClass', 'edge', ['cloud', 'edge'], 'cloud')).toBe('edge');
    expect(parseChoice('flowClass', '', ['cloud', 'edge'], 'cloud')).toBe('cloud');
    expect(refusal(() => parseChoice('flowClass', 'Edge', ['cloud', 'edge'], 'cloud'))).toBe(
      'flowClass must be one of cloud, edge',
    );
    expect(refusal(() => parseChoice('flowClass', 'constructor', ['cloud', 'edge'], 'cloud'))).toMatch(
      /^flowClass/,
    );
  });

  it('accepts sort directions in upper case', () => {
    expect([
      parseSortDirection('DESC', 'asc'),
      parseSortDirection('ASC', 'desc'),
      parseSortDirection('', 'desc'),
    ]).toEqual(['desc', 'asc', 'desc']);
    expect(refusal(() => parseSortDirection('Desc', 'asc'))).toMatch(/^sortDirection/);
    expect(refusal(() => parseSortDirection('asc, (select pg_sleep(5))', 'asc'))).toMatch(/^sortDirection/);
  });
});

describe('parseId, parseIdList and parseNames', () => {
  it('return IDs in lower case', () => {
    expect(parseId('orgId', ID.toUpperCase())).toBe(ID);
    expect(parseIdList('deviceIds', `${ID}, ${ID.toUpperCase()}`)).toEqual([ID, ID]);
    expect([parseIdList('deviceIds', undefined), parseIdList('deviceIds', '')]).toEqual([[], []]);
  });

  it.each(['', undefined, ID.slice(1), `${ID}0`, `${ID}\n`, 'g'.repeat(24), [ID, ID]])(
    'reject the ID %j',
    (value) => {
      expect(refusal(() => parseId('orgId', value))).toMatch(/^orgId must be /);
    },
  );

  it('split at commas and ignore blanks', () => {
    expect(parseNames('summaryInclude', ' deviceCount,flowCount ,, ')).toEqual(['deviceCount', 'flowCount']);
    expect(parseNames('summaryInclude', undefined)).toEqual([]);
    expect(refusal(() => parseNames('summaryInclude', 'a,'.repeat(101)))).toBe(
      'summaryInclude must have at most 100 entries',
    );
    expect(refusal(() => parseNames('summaryInclude', ['a', 'b']))).toMatch(/^summaryInclude/);
  });
});

describe('parseListParameters', () => {
  it('applies defaults and ignores unknown parameters', () => {
    const defaults = { sortField: 'name', sortDirection: 'asc', page: 0, perPage: 100 };
    expect(parseListParameters({}, spec)).toEqual(defaults);
    expect(
      parseListParameters(
        { sortField: '', sortDirection: '', page: '', perPage: '', filterField: '', filter: '', _links: '1' },
        spec,
      ),
    ).toEqual(defaults);
  });

  it('parses all parameters', () => {
    const query = {
      sortField: 'id',
      sortDirection: 'DESC',
      page: '2',
      perPage: '10',
      filterField: 'status',
      filter: 'act*',
    };
    expect(parseListParameters(query, spec)).toEqual({
      sortField: 'id',
      sortDirection: 'desc',
      page: 2,
      perPage: 10,
      filterField: 'status',
      filter: 'act*',
    });
  });

  it('applies a filter without a field to the first field, and ignores a field without a filter', () => {
    expect(parseListParameters({ filter: 'a*' }, spec)).toMatchObject({ filterField: 'name', filter: 'a*' });
    expect(parseListParameters({ filterField: 'status' }, spec)).not.toHaveProperty('filterField');
  });

  it('ignores pagination and filters that the list does not support', () => {
    const plain = { ...spec, perPage: undefined, filter: undefined };
    expect(parseListParameters({ page: 'x', perPage: '-1', filterField: 'y', filter: 'z' }, plain)).toEqual({
      sortField: 'name',
      sortDirection: 'asc',
      page: 0,
      perPage: 0,
    });
  });

  it.each([
    [{ sortField: 'password' }, 'sortField must be one of name, id, creationDate'],
    [{ sortField: 'name;DROP TABLE' }, 'sortField must be one of name, id, creationDate'],
    [{ sortField: '__proto__' }, 'sortField must be one of name, id, creationDate'],
    [{ sortField: ['name', 'id'] }, 'sortField must be a single string'],
    [{ filterField: 'id' }, 'filterField must be one of name, status'],
    [{ filter: ['a', 'b'] }, 'filter must be a single string'],
    [{ filter: 'a'.repeat(256) }, 'filter must have at most 255 characters'],
    [{ filter: 'a\0' }, 'filter contains a NUL character'],
    [{ filter: 'a\ud800' }, 'filter contains text that is not well-formed Unicode'],
  ])('rejects %j', (query, message) => {
    expect(refusal(() => parseListParameters(query, spec))).toBe(message);
  });
});
