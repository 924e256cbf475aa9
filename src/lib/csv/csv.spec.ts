import { csvLines, Verbatim } from './csv.js';

describe('csvLines', () => {
  it('formats each type of cell', () => {
    const time = new Date(1465790400000);
    expect(csvLines([[1465790400000, time, -1.5, true, false, 'text', '', null, undefined, 0]])).toBe(
      '1465790400000,"2016-06-13T04:00:00.000Z",-1.5,true,false,text,,,,0\r\n',
    );
  });

  it.each([
    ['a,b', '"a,b"'],
    ['say "so"', '"say ""so"""'],
    ['two\nlines', '"two\nlines"'],
    ['two\rlines', '"two\rlines"'],
    ['two\r\nlines', '"two\r\nlines"'],
    ['内容 é', '内容 é'],
  ])('preserves %j', (text, written) => {
    expect(csvLines([[text, 1]])).toBe(`${written},1\r\n`);
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '＝1'])(
    'prevents %j from being read as a formula',
    (text) => {
      expect(csvLines([[text]]).replace(/^"/, '')).toMatch(/^'/);
    },
  );

  it('leaves verbatim text unchanged', () => {
    expect(csvLines([[new Verbatim('-33.8,151.2'), new Verbatim('-1')]])).toBe('"-33.8,151.2",-1\r\n');
  });

  it('writes one line per row, and no text for no rows', () => {
    expect(csvLines([['a'], ['b']])).toBe('a\r\nb\r\n');
    expect(csvLines([])).toBe('');
  });
});
