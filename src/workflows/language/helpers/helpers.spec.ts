import { RunFault } from '../../engine/run-error.js';
import { compileTemplate, compileValue } from '../compile.js';

const TIME = new Date('2024-01-15T10:20:30.400Z');
const PAYLOAD = {
  n: 1234.5678,
  s: 'it is <b>',
  time: TIME,
  list: [1, 'a', {}],
  text: 'grüße ✓',
  object: { a: 1, b: ['x', 'y z'], c: null, d: '&' },
  tags: [
    { key: 'k', value: 'one' },
    { key: '7', value: 'two', other: 3 },
  ],
  broken: '%',
  here: '39.1031,-84.5120',
  there: { latitude: 39.1, longitude: -84.5 },
  square: ['0,0', '0,10', '10,10', '10,0'],
  html: {
    children: [
      {
        type: 'element',
        name: 'a',
        attributes: { href: '?a=1&b="' },
        children: [{ type: 'text', value: '<1>' }],
      },
      { type: 'element', name: 'br' },
      { type: 'comment', value: ' x ' },
      { type: 'element', name: 'script', children: [{ type: 'text', value: 'a<b' }] },
    ],
  },
  inner: 'n={{n}} {{s}}',
  expression: 'round({{n}}) + 1',
};

/** Calls and their texts. */
const CASES: readonly (readonly [call: string, text: string])[] = [
  // Conditions
  ['eq n "1234.5678"', 'true'],
  ['eq missing null', 'true'],
  ['ne s "x"', 'true'],
  ['gt n 1000', 'true'],
  ['gte (currentDateTime "x") (add time 3000000)', 'true'],
  ['lt "10" "9"', 'true'],
  ['lte "10" 9', 'false'],
  ['eq time 1705314030400', 'true'],
  ['gt time 0', 'true'],
  ['match s "^it.*b"', 'true'],
  ['match s "x|y"', 'false'],
  ['match missing "^$"', 'true'],
  ['match s "(?=.*<b>)(i)t"', 'true'],
  ['includes list "a"', 'true'],
  ['includes list "1"', 'false'],
  ['includes "admineditor" "editor"', 'true'],
  ['includes "admineditor" missing', 'false'],
  ['includes missing "x"', 'false'],
  // Numbers
  ['add "3" 4', '7'],
  ['add time 600', '1705314031000'],
  ['add missing 1', '1'],
  ['add s 1', 'NaN'],
  ['subtract 5 7', '-2'],
  ['multiply 6 "7"', '42'],
  ['divide 1 0', 'Infinity'],
  ['ceil 1.2', '2'],
  ['floor "-1.2"', '-2'],
  ['max 1 "3" 2', '3'],
  ['min 4 3', '3'],
  ['scaleLinear 0 10 0 100 2.5', '25'],
  ['scaleLinear 0 10 0 100 20', '200'],
  // Texts
  ['upper text', 'GRÜSSE ✓'],
  ['lower "AbC"', 'abc'],
  ['titleCase "the QUICK fox"', 'The Quick Fox'],
  ['trim "  x "', 'x'],
  ['upper missing', ''],
  ['substring "Hello" 1 3', 'el'],
  ['substring "Hello" 3', 'lo'],
  ['substring "Hello" -2', 'Hello'],
  ['length list', '3'],
  ['length object', '4'],
  ['length text', '7'],
  ['length n', ''],
  ['length time', ''],
  ['join list', '1,a,[object Object]'],
  ['join list "; "', '1; a; [object Object]'],
  ['join list separator="/"', '1/a/[object Object]'],
  ['last list', '[object Object]'],
  ['last text', '✓'],
  ['last n', ''],
  ['encodeURIComponent "a b/ü"', 'a%20b%2F%C3%BC'],
  ['decodeURIComponent "a%20b%2F"', 'a b/'],
  ['encodeURI "a b/ü"', 'a%20b/%C3%BC'],
  ['decodeURI "a%20b%2F"', 'a b%2F'],
  ['encodeBase64 text', 'Z3LDvMOfZSDinJM='],
  ['decodeBase64 "Z3LDvMOfZSDinJM="', 'grüße ✓'],
  // Values
  ['defaultTo missing "x"', 'x'],
  ['defaultTo "" object.c 0', '0'],
  ['defaultTo missing object.c', ''],
  ['typeof n', 'number'],
  ['typeof list', 'array'],
  ['typeof object', 'object'],
  ['typeof time', 'date'],
  ['typeof object.c', 'null'],
  ['typeof missing', 'undefined'],
  ['typeof true', 'boolean'],
  ['lookup object "a"', '1'],
  ['lookup list 1', 'a'],
  ['lookup list "length"', '3'],
  ['lookup missing "a"', ''],
  ['valueByKey tags "k"', 'one'],
  ['valueByKey tags 7 "key" "other"', '3'],
  ['valueByKey tags 7 valueField="other"', '3'],
  ['valueByKey tags "one" "value" "key"', 'k'],
  ['valueByKey tags "none"', ''],
  ['valueByKey (array (obj key="a" b=(obj c=5))) 5 "b.c" "key"', 'a'],
  ['valueByKey (array (obj key="a" b=(obj c=5))) "a" value="b.c"', '5'],
  ['indexByKey (array (obj b=1) (obj b=(obj c=5))) 5 "b.c"', '1'],
  ['jsonEncode (valueByKey tags "k" "key" ".")', '{"key":"k","value":"one"}'],
  ['indexByKey tags "two" "value"', '1'],
  ['indexByKey tags "none" "value"', '-1'],
  ['jsonEncode (obj a=n b=(array 1 s))', '{"a":1234.5678,"b":[1,"it is <b>"]}'],
  ['jsonEncode (merge (obj a=1 b=2) missing (obj b=3))', '{"a":1,"b":3}'],
  ['jsonEncode missing', ''],
  ['jsonEncode time', '"2024-01-15T10:20:30.400Z"'],
  ['jsonEncode list 2', '[\n  1,\n  "a",\n  {}\n]'],
  ['lookup (jsonDecode "[1,2]") 1', '2'],
  ['queryStringEncode object', 'a=1&b=x&b=y%20z&c=&d=%26'],
  ['toHtml html', '<a href="?a=1&amp;b=&quot;">&lt;1&gt;</a><br><!-- x --><script>a<b</script>'],
  ['template inner', 'n=1234.5678 it is &lt;b&gt;'],
  ['template "{{a}}{{@root.a}}" object', '11'],
  ['evalExpression expression', '1236'],
  ['evalExpression missing', 'false'],
  // Formats
  ['format n', '1,234.57'],
  ['format n ".2f"', '1234.57'],
  ['format -5 "$,.2f"', '-$5.00'],
  ['format -5 "0.2f"', '-5.00'],
  ['format s ".2f"', 'it is <b>'],
  ['format object.b', '["x","y z"]'],
  ['format time', '01/15/2024 10:20:30 AM'],
  ['format time "YYYY"', '2024'],
  ['format missing', ''],
  ['formatDate time', '01/15/2024 10:20:30 AM'],
  ['formatDate time "YYYY-MM-DD HH:mm" tz="America/New_York"', '2024-01-15 05:20'],
  ['formatDate "2024-01-15T10:20:30.400+02:00" "HH"', '08'],
  ['formatDate "2024-01-15" "DD HH"', '15 00'],
  ['formatDate "1705314030400" "x"', '1705314030400'],
  ['formatDate 1705314030400 "X"', '1705314030'],
  ['formatDate (format time "ddd MMM DD YYYY HH:mm:ss [GMT+0000]") "YYYY HH"', '2024 10'],
  ['formatDate s', 'Invalid date'],
  ['formatDate missing', ''],
  ['formatDateRelative time "2024-01-15T10:25:30Z"', '5 minutes ago'],
  ['formatDateRelative time "2024-01-15T10:15:30Z" locale="de"', 'in 5 Minuten'],
  ['formatDateRelative time "2024-01-15T10:15:30Z" locale="../x"', 'in 5 minutes'],
  // Places
  ['floor (gpsDistance "0,0" "0,1")', '111195'],
  ['gpsDistance here here', '0'],
  ['gpsDistance here "x"', ''],
  ['floor (gpsDistance "0N 0E" "1°0\'0N 0°0\'0E")', '111195'],
  ['gpsIsPointInside "5,5" square', 'true'],
  ['gpsIsPointInside "11,5" square', 'false'],
  ['gpsIsPointInside (obj latitude=5 longitude=5) (jsonEncode square)', 'true'],
  ['gpsIsPointInside "5,5" missing', 'false'],
  ['formatGps here "decimal" 2', '39.10,-84.51'],
  ['formatGps there', '39.1,-84.5'],
  ['formatGps there "dms"', '39°6\'0.00"N 84°30\'0.00"W'],
  ['formatGps "95,0"', ''],
  ['formatGps missing', ''],
];

it.each(CASES)('{{%s}} is %j', (call, text) => {
  expect(compileTemplate(`{{{${call}}}}`)(PAYLOAD)).toBe(text);
});

it('returns the current time', () => {
  const before = Date.now();
  const [bare, stamp] = compileTemplate('{{currentDateTime}},{{currentDateTime "x"}}')({}).split(',');
  expect(bare).toMatch(/^\d\d\/\d\d\/\d{4} \d+:\d\d:\d\d [AP]M$/);
  expect(Number(stamp)).toBeGreaterThanOrEqual(before);
});

it.each([
  ['eq n 0', 'no'],
  ['match s "^it"', 'yes'],
  ['includes list "a"', 'yes'],
  ['gpsIsPointInside "5,5" square', 'yes'],
])('renders a block of {{#%s}}', (call, text) => {
  const [name] = call.split(' ');
  expect(compileTemplate(`{{#${call}}}yes{{else}}no{{/${name}}}`)(PAYLOAD)).toBe(text);
});

it('writes JSON, HTML and templates without escapes, and other texts with them', () => {
  const render = compileTemplate(
    '{{jsonEncode s}} {{toHtml html.children.[0]}} {{template inner}} {{upper s}}',
  );
  expect(render({ ...PAYLOAD, n: '"' })).toBe(
    '"it is <b>" <a href="?a=1&amp;b=&quot;">&lt;1&gt;</a> n=&quot; it is &lt;b&gt; IT IS &lt;B&gt;',
  );
});

it('leaves the payload unchanged and takes no prototype from names', () => {
  const payload = { a: JSON.parse('{"__proto__": {"x": 1}, "y": 2}') as object };
  const merged = compileTemplate('{{{jsonEncode (merge a (obj __proto__=a z=3))}}}')(payload);
  expect(merged).toBe('{"y":2,"z":3}');
  expect(payload).toEqual({ a: JSON.parse('{"__proto__": {"x": 1}, "y": 2}') as object });
});

it.each([
  ['decodeURIComponent broken', 'A helper cannot encode or decode a malformed text'],
  ['jsonDecode s', 'A text to decode is not JSON'],
  ['match s "("', 'The regular expression "(" is not a regular expression'],
  ['format n "x%%"', '"x%%" is not a format of numbers'],
  ['format n "999999999d"', '"999999999d" is not a format of numbers'],
  ['formatDate time "L" tz="Mars/Base"', '"Mars/Base" is not a time zone'],
  ['template "{{#if}}"', 'A text that a template contains'],
  ['toHtml (obj type="element" name="a b")', 'HTML has an invalid name of an element or attribute'],
])('{{%s}} fails with %j', (call, message) => {
  const render = compileTemplate(`{{{${call}}}}`);
  expect(() => render(PAYLOAD)).toThrow(RunFault);
  expect(() => render(PAYLOAD)).toThrow(message);
});

it('prints dates as in UTC', () => {
  expect(compileTemplate('{{time}}|{{list}}')({ time: TIME, list: [TIME] })).toBe(
    'Mon Jan 15 2024 10:20:30 GMT+0000 (Coordinated Universal Time)|Mon Jan 15 2024 10:20:30 GMT+0000 (Coordinated Universal Time)',
  );
  expect(compileValue('{{time}}')({ time: TIME })).toBe(TIME);
});
