import { SITES, TestSite } from '../../../test/make/sites.js';
import { suite } from '../../../test/setup/suite.js';

const { test, user, application } = suite(SITES, { database: 'own' });
let site: TestSite;

beforeEach(() => {
  site = new TestSite(test, user, application);
});

/** Makes a page with a layout and shows it. */
async function shown(page: string, layout?: string, components: Record<string, string> = {}) {
  for (const [name, body] of Object.entries(components)) await site.view('component', name, body);
  const layoutId = layout === undefined ? undefined : (await site.view('layout', 'layout', layout)).id;
  await site.page('/page', page, layoutId ? { layoutId } : {});
  return site.visit('/page?q=Q');
}

/** Stops the log of pages that fail. */
const failures = () =>
  test.log.filter((line) => line.includes('"context":"Page"')).map((line) => JSON.parse(line));

describe('A page', () => {
  it('has the context of its request', async () => {
    await site.call('patch', 'experience/versions/develop', { globals: [{ key: 'g', json: '{"a":[1]}' }] });
    const layout = await site.view(
      'layout',
      'frame',
      '{{experience.layout.name}}/{{experience.page.name}}: {{page}}',
      {
        viewTags: { kind: 'wide' },
      },
    );
    const body =
      '{{jsonEncode (obj time=(typeof time) year=(formatDate time "YYYY") application=application experience=experience globals=globals request=request pageData=pageData flow=(typeof flow))}}';
    const page = await site.view('page', 'home', body, {
      layoutId: layout.id,
      description: 'Home',
      viewTags: { title: 'Hi {{application.name}}' },
    });
    const endpoint = await site.endpoint('/home/{id}', { staticReply: { type: 'page', value: page.id } });
    const { text } = await site.visit('/home/1?q=Q', {
      headers: { 'x-own': 'x', cookie: 'c=1; authorization=secret' },
    });
    expect(text).toMatch(/^frame\/home: \{/);
    const context = JSON.parse(text.slice(text.indexOf('{')));
    expect(context).toEqual({
      time: 'date',
      year: String(new Date().getUTCFullYear()),
      application: { id: application.id, name: expect.any(String) },
      experience: {
        version: 'develop',
        endpoint: expect.objectContaining({ id: endpoint.id, route: '/home/{id}' }),
        user: null,
        authInfo: null,
        page: {
          id: page.id,
          name: 'home',
          description: 'Home',
          viewTags: { title: 'Hi {{application.name}}' },
        },
        layout: { id: layout.id, name: 'frame', description: null, viewTags: { kind: 'wide' } },
      },
      globals: { g: { a: [1] } },
      request: {
        path: '/home/1',
        method: 'get',
        params: { id: '1' },
        query: { q: 'Q' },
        body: null,
        headers: expect.objectContaining({ 'x-own': 'x', host: site.host }),
        cookies: { c: '1', authorization: '*****REDACTED*****' },
      },
      pageData: {},
      flow: 'undefined',
    });
  });

  it('is printed by its layout, with the sections that it fills', async () => {
    const answer = await shown(
      '{{#fillSection "title"}}first{{/fillSection}}<p>page</p>{{component "part"}}',
      '<title>{{section "title"}}</title><head>{{#section "head"}}default {{request.query.q}}{{/section}}</head>{{component "menu"}}{{page}}',
      {
        part: '{{#fillSection "title"}}last &{{/fillSection}}',
        menu: '{{#fillSection "title"}}menu{{/fillSection}}<nav>',
      },
    );
    expect(answer.text).toBe('<title>last &</title><head>default Q</head><nav><p>page</p>');
  });

  it('passes context and arguments to components', async () => {
    const answer = await shown(
      [
        '{{component "one"}}',
        '{{component "one" (obj name="given") label="L" n=1}}',
        '{{component "alert" "Bad pin."}}',
        '{{#each (array "a" "b")}}{{component (add "" 0)}}{{component "item"}}{{/each}}',
        '{{component "missing"}}',
        '{{component request.query.name}}',
        '{{component "tree" (obj name="x" children=(array (obj name="y" children=(array (obj name="z"))) (obj name="w")))}}',
        '{{component "outer" a="1"}}',
      ].join('|'),
      undefined,
      {
        one: '<{{name}} {{@args.label}} {{@args.n}} {{@root.request.query.q}}>',
        alert: '!{{this}}!',
        item: '{{this}}{{@index}}',
        tree: '{{name}}{{#if children}}({{#each children}}{{component "tree"}}{{/each}}){{/if}}',
        outer:
          '{{@args.a}}{{#if true}}{{#with @args}}{{a}}{{@args.a}}{{/with}}{{/if}}{{component "inner"}}{{component "inner" a="2"}}',
        inner: '[{{@args.a}}]',
      },
    );
    expect(answer.text).toBe('<   Q>|<given L 1 Q>|!Bad pin.!|a0b1|||x(y(z)w)|111[][2]');
  });

  it('has inline partials', async () => {
    const answer = await shown(
      '{{#*inline "row"}}<li>{{name}} {{n}} {{@args.x}}</li>{{/inline}}{{#each (array (obj name="a") (obj name="b"))}}{{> row this n=@index}}{{/each}}{{component "list" x="X"}}',
      undefined,
      { list: '{{#*inline "cell"}}<td>{{@args.x}}{{this}}</td>{{/inline}}{{> cell "c"}}' },
    );
    expect(answer.text).toBe('<li>a 0 </li><li>b 1 </li><td>Xc</td>');
  });

  it('links to files of the application', async () => {
    const { text } = await shown(
      '{{file "logo.png"}} {{file "/images/a b.png"}} {{file "report.pdf" private=true ttl=60}}',
    );
    const [logo, image, report] = text.split(' ');
    const base = `http://files.sites.test/files/${application.id}`;
    expect([logo, image]).toEqual([`${base}/logo.png`, `${base}/images/a%20b.png`]);
    expect(report).toMatch(
      new RegExp(
        `^http://files\\.sites\\.test/private/${application.id}/report\\.pdf\\?expires&#x3D;\\d+&amp;signature&#x3D;[\\w-]+$`,
      ),
    );
  });

  it.each([0, 10_000])(
    'that is a fixed text is sent as it is, also with %d more characters',
    async (more) => {
      const text = `p { content: "ü" }${' '.repeat(more)}`;
      const { id } = await site.view('page', 'style', text);
      await site.endpoint('/style', { staticReply: { type: 'page', value: id } });
      const answers = async (expected: string) => {
        // The first request loads the view.
        for (const method of ['GET', 'GET', 'HEAD'] as const) {
          const { status, headers, text: body } = await site.visit('/style', { method });
          const length = String(Buffer.byteLength(expected));
          expect([status, headers['content-length']]).toEqual([200, length]);
          expect(body).toBe(method === 'GET' ? expected : '');
        }
      };
      await answers(text);
      await site.call('patch', `experience/views/${id}`, { body: `${text}!` });
      await answers(`${text}!`);
    },
  );

  it('has the media type of the reply, or else of the view', async () => {
    const page = await site.view('page', 'style', 'a { color: red }', {
      headers: { 'content-type': 'text/css' },
    });
    await site.endpoint('/static', { staticReply: { type: 'page', value: page.id } });
    const config = { replyType: 'page', pageIdTemplate: page.id, bodyTemplateType: 'none' };
    await site.replying('/view', config);
    await site.replying('/reply', {
      ...config,
      headerInfo: [{ keyTemplate: 'Content-Type', valueTemplate: 'text/plain' }],
    });
    const typeOf = async (path: string) => (await site.visit(path)).headers['content-type'];
    expect(await typeOf('/static')).toBe('text/css');
    expect(await typeOf('/view')).toBe('text/css');
    expect(await typeOf('/reply')).toBe('text/plain');
  });

  it('of a workflow has its data, its flow and another layout', async () => {
    const layouts = await Promise.all(
      ['own', 'other'].map((name) => site.view('layout', name, `${name}: {{page}}`)),
    );
    const page = await site.view('page', 'p', '{{pageData.a}} {{flow.version}} {{typeof pageData.when}}', {
      layoutId: layouts[0].id,
    });
    const config = { replyType: 'page', pageIdTemplate: page.id };
    await site.replying('/json', {
      ...config,
      bodyTemplateType: 'json',
      bodyTemplate: '{"a": "{{data.query.a}}"}',
    });
    await site.replying('/payload', { ...config, bodyTemplateType: 'path', bodyTemplate: '.' });
    await site.replying('/layout', { ...config, bodyTemplateType: 'none', layoutIdTemplate: layouts[1].id });
    expect((await site.visit('/json?a=1')).text).toBe('own: 1 develop undefined');
    expect((await site.visit('/payload')).text).toBe('own:  develop undefined');
    expect((await site.visit('/layout')).text).toBe('other:  develop undefined');
  });
});

describe('A page that fails', () => {
  it.each<[string, string, Record<string, string>, RegExp]>([
    ['endless components', '{{component "a"}}', { a: '{{component "a"}}' }, /more than 50 levels deep/],
    ['endless partials', '{{#*inline "a"}}{{> a}}{{/inline}}{{> a}}', {}, /more than 50 levels deep/],
    [
      'too many steps',
      `${'{{#each request.headers}}'.replace('request', '@root.request').repeat(30)}a${'{{/each}}'.repeat(30)}`,
      {},
      /steps|characters/,
    ],
    [
      'too much output',
      '{{component "a"}}'.repeat(30),
      { a: '{{component "b"}}'.repeat(30), b: '{{component "c"}}'.repeat(30), c: 'x'.repeat(1_000) },
      /characters/,
    ],
    ['a helper that throws', '{{decodeURI "%"}}', {}, /malformed text/],
    ['an undefined partial', '{{> nothing}}', {}, /partial "nothing", which is not defined/],
  ])(
    'because of %s is an error for visitors, and an entry of the log',
    async (_what, page, components, reason) => {
      test.log.length = 0;
      const answer = await shown(page, '<html>{{page}}</html>', components);
      expect(answer.status).toBe(500);
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(answer.json.error).toMatch(reason);
      expect(answer.text).not.toMatch(/ at |\.js|\.ts/);
      expect(failures()).toEqual([
        expect.objectContaining({
          applicationId: application.id,
          version: 'develop',
          page: 'Page of /page',
          layout: 'layout',
          components: Object.keys(components).length,
          ms: expect.any(Number),
          error: expect.stringMatching(reason),
        }),
      ]);
    },
  );

  it('because it does not exist is an error, and the run of the workflow goes on', async () => {
    for (const [route, config] of [
      ['/page', { pageIdTemplate: user.id }],
      ['/component', { pageIdTemplate: (await site.view('component', 'c', 'c')).id }],
      ['/layout', { pageIdTemplate: (await site.view('page', 'p', 'p')).id, layoutIdTemplate: user.id }],
    ] as const) {
      await site.replying(route, { replyType: 'page', bodyTemplateType: 'none', ...config });
      const { status, json } = await site.visit(route);
      expect([status, json.error]).toEqual([
        500,
        expect.stringMatching(/^The (page|layout) of the reply does not exist$/),
      ]);
    }
  });

  it('does not affect others', async () => {
    await site.page('/bad', '{{component "bad"}}');
    await site.view('component', 'bad', '{{component "bad"}}');
    await site.page('/good', 'good');
    const answers = await Promise.all(['/bad', '/good', '/bad', '/good'].map((path) => site.visit(path)));
    expect(answers.map(({ status }) => status)).toEqual([500, 200, 500, 200]);
  });
});

describe('A view', () => {
  it.each<[string, string, string]>([
    ['an open block', '{{#if a}}', 'ends before a block, reference or helper is closed'],
    ['an unknown helper', '{{unknown a}}', 'has unknown, which is not a helper'],
    ['an unknown block', '{{#unknown a}}{{/unknown}}', 'has unknown, which is not a helper'],
    ['a raw block', '{{{{raw}}}}{{{{/raw}}}}', 'cannot contain raw blocks'],
    ['deep blocks', '{{#if a}}'.repeat(101), 'nests more than 100 blocks or branches'],
    ['many names', '{{add a 1}}'.repeat(4_000), 'has more than 10000 names and signs in its braces'],
    ['a decorator', '{{* decorator}}', 'cannot contain decorators'],
  ])('with %s is not saved', async (_what, body, reason) => {
    const post = (more: object) =>
      test.client.post(
        `/applications/${application.id}/experience/views`,
        { viewType: 'page', name: 'v', body, ...more },
        { token: user.token },
      );
    const refused = await post({});
    expect(refused.status).toBe(400);
    expect(refused.body.message).toMatch(/^experienceView\.body .* \(at character \d+\)$/);
    expect(refused.body.message).toContain(reason);
    const { id } = (await post({ body: 'fine' })).body;
    const path = `/applications/${application.id}/experience/views/${id}`;
    expect((await test.client.patch(path, { body }, { token: user.token })).status).toBe(400);
  });
});
