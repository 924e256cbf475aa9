import { FlowHtml } from './flow-html.js';

const ACTOR = { id: 'run', applicationId: 'application', flowId: 'flow' };
const { signal } = new AbortController();

describe('FlowHtml', () => {
  const html = new FlowHtml();
  afterAll(() => html.onApplicationShutdown());

  it('finds elements in another process', async () => {
    const query = { document: '<p>a<p>b', selector: 'p', format: 'text' } as const;
    expect(await html.find(ACTOR, query, signal)).toEqual(['a', 'b']);
  });

  it('fails the run for a document that exceeds a limit, and goes on', async () => {
    const query = { document: '<b>'.repeat(513), selector: 'b', format: 'text' } as const;
    await expect(html.find(ACTOR, query, signal)).rejects.toMatchObject({
      name: 'ValidationError',
      message: 'documentPath must not be nested more than 512 levels deep',
    });
    expect(await html.find(ACTOR, { ...query, document: '<b>1' }, signal)).toEqual(['1']);
  });
});
