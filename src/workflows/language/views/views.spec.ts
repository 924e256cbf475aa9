import { RunFault } from '../../engine/run-error.js';
import { SyntaxFault } from '../syntax-fault.js';
import { renderPage, type PreparedView } from './rendering.js';
import { prepareView } from './view-dialect.js';

const TIME = new Date('2024-01-15T10:20:30.400Z');
const CONTEXT = {
  time: TIME,
  n: 1234.5678,
  s: 'it is <b>',
  one: 1,
  text: '1',
  no: false,
  nothing: null,
  list: [3, 'a', { id: 7 }],
  numbers: [5, 1],
  object: { a: 1, b: 'x y', c: null },
  tags: [
    { key: 'k', id: 'i', value: 'one', other: 3 },
    { key: '7', id: 'j', value: 'two' },
  ],
  inner: 'n={{n}} {{s}}',
  expression: '{{one}} + 1 === 2',
  here: '39.1031,-84.5120',
  square: ['0,0', '0,10', '10,10', '10,0'],
  html: { type: 'element', name: 'a', attributes: { href: '?a=1&b="' }, children: [] },
  page: 'of the context',
};

/** Renders a page with a layout and components. */
function rendered(page: string, layout?: string, components: Readonly<Record<string, string>> = {}): string {
  const views = new Map<string, PreparedView>(
    Object.entries(components).map(([name, body]) => [name, prepareView(body)]),
  );
  return renderPage(
    { page: prepareView(page), ...(layout !== undefined && { layout: prepareView(layout) }) },
    CONTEXT,
    {
      component: (name) => views.get(name),
      fileUrl: (path, ttl) => `files:${path}${ttl === undefined ? '' : ` for ${ttl}`}`,
      dashboardUrl: (id, context) => `dashboards:${id} ${JSON.stringify(context)}`,
    },
  );
}

/** Calls without their braces, with their texts. A call of a block prints yes or no. */
const CASES: readonly (readonly [call: string, text: string])[] = [
  // Comparisons
  ['#eq one 1', 'yes'],
  ['#eq one text', 'no'],
  ['#eq nothing missing', 'no'],
  ['#eq s "it is <b>"', 'yes'],
  ['#ne one text', 'yes'],
  ['#gt n 1000', 'yes'],
  ['#gt n "1000"', 'yes'],
  ['#gte one 1', 'yes'],
  ['#lt one 1', 'no'],
  ['#lte one text', 'yes'],
  ['eq one 1', 'true'],
  ['#if (eq one 2)', 'no'],
  ['#if (gt n 1)', 'yes'],
  ['#match s "^IT"', 'no'],
  ['#match s "^it .*b"', 'yes'],
  ['#includes list "a"', 'yes'],
  ['#includes list "b"', 'no'],
  ['#includes object "x y"', 'yes'],
  ['#includes object "a"', 'no'],
  ['#includes s "is"', 'yes'],
  ['#includes missing "a"', 'no'],
  // Lists and objects
  ['jsonEncode (obj a=n b=(array one s))', '{"a":1234.5678,"b":[1,"it is <b>"]}'],
  ['jsonEncode (merge object (obj b=2) missing)', '{"a":1,"b":2,"c":null}'],
  ['array one s', '1,it is <b>'],
  ['lookup object "b"', 'x y'],
  ['lookup list 2', '[object Object]'],
  ['lookup missing "a"', ''],
  ['last list', '[object Object]'],
  ['length list', '3'],
  ['length object', '3'],
  ['length s', '9'],
  ['length n', ''],
  ['join numbers', '5,1'],
  ['join numbers " and "', '5 and 1'],
  ['indexByKey tags "7"', '1'],
  ['indexByKey tags "j" "id"', '1'],
  ['indexByKey tags "j" path="id"', '1'],
  ['indexByKey tags "none"', '-1'],
  ['valueByKey tags "k"', 'one'],
  ['valueByKey tags "j" "id"', 'two'],
  ['valueByKey tags "i" path="id" value="other"', '3'],
  ['jsonEncode (valueByKey tags "7" "key" ".")', '{"key":"7","id":"j","value":"two"}'],
  ['valueByKey tags "none"', ''],
  // Values
  ['defaultTo missing "x"', 'x'],
  ['defaultTo nothing "x"', 'x'],
  ['defaultTo "" "x"', 'x'],
  ['defaultTo no "x"', 'false'],
  ['defaultTo 0 "x"', '0'],
  ['typeof n', 'number'],
  ['typeof no', 'boolean'],
  ['typeof s', 'string'],
  ['typeof nothing', 'null'],
  ['typeof missing', 'undefined'],
  ['typeof list', 'array'],
  ['typeof time', 'date'],
  ['typeof object', 'object'],
  // Numbers
  ['add text 0', '1'],
  ['subtract 5 7', '-2'],
  ['multiply 6 "7"', '42'],
  ['divide 1 4', '0.25'],
  ['min 4 "3"', '3'],
  ['max 4 "3"', '4'],
  ['ceil 1.2', '2'],
  ['floor -1.2', '-2'],
  ['scaleLinear 0 10 0 100 2.5', '25'],
  // Texts
  ['upper s', 'IT IS <B>'],
  ['lower "AbC"', 'abc'],
  ['titleCase "the QUICK fox"', 'The Quick Fox'],
  ['trim "  x "', 'x'],
  ['substring s 3 5', 'is'],
  ['substring s 6', '<b>'],
  ['encodeURI "a b/ü"', 'a%20b/%C3%BC'],
  ['decodeURI "a%20b%2F"', 'a b%2F'],
  ['encodeURIComponent "a b/ü"', 'a%20b%2F%C3%BC'],
  ['decodeURIComponent "a%20b%2F"', 'a b/'],
  ['queryStringEncode object', 'a=1&b=x%20y&c='],
  ['encodeBase64 "ü✓"', 'w7zinJM='],
  ['decodeBase64 "w7zinJM="', 'ü✓'],
  ['jsonEncode object', '{"a":1,"b":"x y","c":null}'],
  ['jsonEncode list 1', '[\n 3,\n "a",\n {\n  "id": 7\n }\n]'],
  ['lookup (jsonDecode "[1,2]") 1', '2'],
  ['typeof (jsonDecode "{")', 'undefined'],
  // Formats
  ['format n', '1,234.57'],
  ['format n ".1f"', '1234.6'],
  ['format time', '01/15/2024 10:20:30 AM'],
  ['format time "YYYY"', '2024'],
  ['format object', '{"a":1,"b":"x y","c":null}'],
  ['format s', 'it is <b>'],
  ['formatDate time', '01/15/2024 10:20:30 AM'],
  ['formatDate time "x"', '1705314030400'],
  ['formatDate time "X"', '1705314030'],
  ['formatDate time "YYYY-MM-DD HH:mm" tz="America/New_York"', '2024-01-15 05:20'],
  ['formatDate time "dddd" locale="de"', 'Montag'],
  ['length (currentDateTime "YYYY")', '4'],
  ['length (currentDateTime "HH" tz="Asia/Tokyo" locale="fr")', '2'],
  ['formatDateRelative time "2024-01-15T10:25:30Z"', '5 minutes ago'],
  ['formatGps here', '39.1031,-84.512'],
  ['formatGps here "decimal" 2', '39.10,-84.51'],
  ['formatGps here "degrees" digits=3', '39.103°N 84.512°W'],
  ['formatGps here "degrees"', '39.1031°N 84.512°W'],
  ['formatGps here "sexagesimal"', '39°6\'11.16"N 84°30\'43.20"W'],
  ['formatGps here "gga"', '$GPGGA,,3906.1860,N,08430.7200,W,,,,,,,,,*76'],
  ['floor (gpsDistance "0,0" "0,1")', '111195'],
  ['gpsIsPointInside "5,5" square', 'true'],
  ['#gpsIsPointInside "11,5" square', 'no'],
  // Templates and expressions
  ['template inner', 'n=1234.5678 it is &lt;b&gt;'],
  ['template inner object', 'n= '],
  ['template inner null', 'n= '],
  ['template inner missing', 'n= '],
  ['#if (template no)', 'no'],
  ['template "{{template \'{{n}}\'}}"', '1234.5678'],
  ['evalExpression expression', 'true'],
  ['evalExpression expression object', 'false'],
  // Outside of views
  ['toHtml html', '<a href="?a=1&amp;b=&quot;"></a>'],
  ['substring (colorMarker "#00ff00") 0 26', 'data:image/svg+xml;base64,'],
  ['dashboardUrl "d1" ctx=n', 'dashboards:d1 {"ctx":1234.5678}'],
  ['file "/logo.png"', 'files:/logo.png'],
  ['file "a.png" private=true', 'files:a.png for 900'],
  ['file "a.png" private="true" ttl="60"', 'files:a.png for 60'],
  ['element "dashboard" dashboardId="d1"', '<p role="note">Dashboards are not available yet.</p>'],
  // The views of a page
  ['component "c"', 'a component'],
  ['component "none"', ''],
  ['section "s"', ''],
  ['#section "s"', 'yes'],
  ['#fillSection "s"', ''],
  ['page', 'of the context'],
];

/** All helpers of views. */
const HELPERS =
  `eq ne gt gte lt lte match includes obj array merge lookup last length join indexByKey valueByKey
  defaultTo typeof add subtract multiply divide min max ceil floor scaleLinear upper lower titleCase trim substring
  encodeURI decodeURI encodeURIComponent decodeURIComponent queryStringEncode encodeBase64 decodeBase64 jsonEncode
  jsonDecode format formatDate currentDateTime formatDateRelative formatGps gpsDistance gpsIsPointInside template
  evalExpression toHtml colorMarker dashboardUrl page section fillSection component element file`.split(
    /\s+/,
  );

describe('Helpers of views', () => {
  it.each(CASES)('{{%s}} prints %j', (call, text) => {
    const name = /^#(\w+)/.exec(call)?.[1];
    const body = name === undefined ? `{{{${call}}}}` : `{{${call}}}yes{{else}}no{{/${name}}}`;
    const isAlone = name === 'section' || name === 'fillSection';
    const page = isAlone ? body.replace('{{else}}no', '') : body;
    expect(rendered(page, undefined, { c: 'a component' })).toBe(text);
  });

  it.each(HELPERS)('%s has a case', (name) => {
    expect(CASES.some(([call]) => call.split(/[ (]/).some((word) => word.replace('#', '') === name))).toBe(
      true,
    );
  });

  it('print texts with escapes, and HTML, JSON and views without', () => {
    expect(
      rendered('{{upper s}} {{jsonEncode s}} {{toHtml html}} {{component "c"}}', undefined, { c: '<i>' }),
    ).toBe('IT IS &lt;B&gt; "it is <b>" <a href="?a=1&amp;b=&quot;"></a> <i>');
  });

  it.each([
    ['file "a.png" private=true ttl=0', 'The ttl of a file must be between 1 and 604800 seconds'],
    ['file "a.png" private=true ttl="x"', 'The ttl of a file must be between 1 and 604800 seconds'],
    ['decodeURIComponent "%"', 'malformed text'],
    ['formatDate time "L" tz="Mars"', '"Mars" is not a time zone'],
  ])('{{%s}} fails', (call, message) => {
    expect(() => rendered(`{{${call}}}`)).toThrow(RunFault);
    expect(() => rendered(`{{${call}}}`)).toThrow(message);
  });
});

describe('Blocks of views', () => {
  it.each([
    ['{{#if no}}a{{else if one}}b{{else}}c{{/if}}', 'b'],
    ['{{#eq one 2}}a{{else eq one 1}}b{{else}}c{{/eq}}', 'b'],
    ['{{#eq one 2}}a{{else ne one 1}}b{{else}}c{{/eq}}', 'c'],
    ['{{#if no}}a{{else includes list "a"}}b{{/if}}', 'b'],
    ['{{^if no}}a{{/if}}', 'a'],
    ['{{#unless no}}a{{/unless}}', 'a'],
    ['{{#each list as |item i|}}{{i}}{{typeof item}} {{/each}}', '0number 1string 2object '],
    ['{{#each object}}{{@key}}={{this}}{{#unless @last}},{{/unless}}{{/each}}', 'a=1,b=x y,c='],
    ['{{#each list}}{{@first}}{{@index}}{{../one}}{{@root.one}};{{/each}}', 'true011;false111;false211;'],
    ['{{#each missing}}a{{else}}b{{/each}}', 'b'],
    ['{{#with object as |o|}}{{o.a}}{{a}}{{../n}}{{/with}}', '111234.5678'],
    ['{{! one }}{{!-- {{two}} --}}a', 'a'],
    ['{{{s}}} {{&s}} {{s}}', 'it is <b> it is <b> it is &lt;b&gt;'],
    ['a {{~ one ~}} b', 'a1b'],
    [
      '{{#*inline "row"}}[{{id}}{{name}}]{{/inline}}{{#each tags}}{{> row this name="!"}}{{/each}}',
      '[i!][j!]',
    ],
    ['{{> row}}{{#*inline "row"}}[{{one}}]{{/inline}}', '[1]'],
    ['{{#*inline "i"}}x{{/inline}}{{> (lookup (obj p="i") "p")}}', 'x'],
    ['{{list}}', '3,a,[object Object]'],
    ['{{missing.deep.name}}{{nothing}}{{no}}', 'false'],
  ])('%s prints %j', (body, text) => {
    expect(rendered(body)).toBe(text);
  });
});

describe('Sections', () => {
  it.each([
    ['{{#fillSection "s"}}{{one}}{{/fillSection}}p', '[{{section "s"}}]{{page}}', '[1]p'],
    ['p', '[{{#section "s"}}default {{one}}{{/section}}]{{page}}', '[default 1]p'],
    ['{{#fillSection "s"}}{{/fillSection}}', '[{{#section "s"}}default{{/section}}]', '[]'],
    ['{{#fillSection "s"}}a{{/fillSection}}{{#fillSection "s"}}b{{/fillSection}}', '{{section "s"}}', 'b'],
    ['{{component "fill"}}', '[{{section "s"}}]', '[1]'],
    ['p', '{{component "fill"}}[{{section "s"}}]', '[]'],
    ['p', 'no page', 'no page'],
    ['<b>', '{{page}}{{{page}}}', '<b><b>'],
    ['{{#fillSection "s"}}<b>{{/fillSection}}', '{{section "s"}}{{#section "s"}}{{/section}}', '<b><b>'],
  ])('%s in %s prints %j', (page, layout, text) => {
    expect(rendered(page, layout, { fill: '{{#fillSection "s"}}{{one}}{{/fillSection}}' })).toBe(text);
  });
});

describe('Components', () => {
  const components = {
    name: '{{@args.name}}:{{this.a}}{{a}}',
    error: '<p>{{this}}</p>',
    outer: '{{component "inner" name=@args.other}}{{@args.name}}',
    inner: '({{@args.name}}{{@args.other}})',
    nested: '{{#*inline "p"}}{{@args.name}}{{/inline}}{{#each numbers}}{{@args.name}}{{> p}}{{/each}}',
    root: '{{@root.one}}{{one}}',
    tree: '{{id}}{{#each children}}{{component "tree"}}{{/each}}',
    parent: '{{../one}}',
  };

  it.each([
    ['{{component "name" object name="x"}}', 'x:11'],
    ['{{component (lookup (obj c="error") "c") "Bad pin."}}', '<p>Bad pin.</p>'],
    ['{{#with (obj c="root")}}{{component this.c}}{{/with}}', '1'],
    ['{{component "outer" name="a" other="b"}}', '(b)a'],
    ['{{component "nested" name="n"}}', 'nnnn'],
    ['{{component "root" object}}', '1'],
    ['{{component "root" null}}', '1'],
    ['{{#with object}}{{component "parent"}}{{/with}}', ''],
    [
      '{{component "tree" (obj id=1 children=(array (obj id=2) (obj id=3 children=(array (obj id=4)))))}}',
      '1234',
    ],
    ['{{component missing}}{{component ""}}', ''],
  ])('%s prints %j', (page, text) => {
    expect(rendered(page, undefined, components)).toBe(text);
  });
});

describe('A view ends', () => {
  const long = 'x'.repeat(100_000);
  it.each<[string, string, Record<string, string>, RegExp]>([
    [
      'with components that call each other',
      '{{component "a"}}',
      { a: '{{component "b"}}', b: '{{component "a"}}' },
      /50 levels deep/,
    ],
    ['with partials that call themselves', '{{#*inline "a"}}{{> a}}{{/inline}}{{> a}}', {}, /50 levels deep/],
    [
      'with templates that render themselves',
      '{{#with (obj t="{{template t}}")}}{{template t}}{{/with}}',
      {},
      /50 levels deep/,
    ],
    [
      'with a tree of calls',
      '{{component "a"}}',
      { a: '{{component "b"}}'.repeat(9), b: '{{component "a"}}'.repeat(9) },
      /50 levels deep|steps/,
    ],
    ['with long components', '{{component "a"}}'.repeat(60), { a: long }, /characters/],
    [
      'with long sections',
      '{{#fillSection "s"}}{{component "a"}}{{/fillSection}}'.repeat(60),
      { a: long },
      /characters/,
    ],
  ])('%s', (_name, page, components, reason) => {
    expect(() => rendered(page, '{{page}}', components)).toThrow(RunFault);
    expect(() => rendered(page, '{{page}}', components)).toThrow(reason);
  });

  it.each(['{{> constructor}}', '{{> __proto__}}', '{{> toString}}'])('at the partial of %s', (page) => {
    expect(() => rendered(page)).toThrow('which is not defined');
  });

  it.each([
    '{{component "constructor"}}',
    '{{component "__proto__"}}',
    '{{@args.constructor}}',
    '{{section "toString"}}',
  ])('without a prototype: %s', (page) => {
    expect(rendered(page)).toBe('');
  });

  it.each<[string, string]>([
    ['an unknown helper', '{{unknown one}}'],
    ['an unknown block', '{{#unknown one}}{{/unknown}}'],
    ['an open block', '{{#if one}}'],
    ['many characters', 'x'.repeat(140_000)],
  ])('before it is saved: %s', (_name, body) => {
    expect(() => prepareView(body)).toThrow(SyntaxFault);
  });
});
