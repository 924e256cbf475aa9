import { encodedRow } from '../../../test/doubles/encoded-row.js';

describe('An encoded row', () => {
  const row = encodedRow(['1', null, '', 'Été', null]);

  it('returns a value by its position from either end', () => {
    expect([0, 1, 2, 3, 4].map((position) => row.text(position))).toEqual(['1', null, '', 'Été', null]);
    expect([-5, -4, -2, -1].map((position) => row.text(position))).toEqual(['1', null, 'Été', null]);
  });

  it('returns all values, or those without the first and the last', () => {
    expect(row.texts()).toEqual(['1', null, '', 'Été', null]);
    expect(row.inner().texts()).toEqual([null, '', 'Été']);
    expect(encodedRow([null, 'a', null]).inner().texts()).toEqual(['a']);
    expect(encodedRow(['b', '1']).inner().texts()).toEqual([]);
  });
});
