import { describeInChromium } from '../doubles/chromium.js';
import { makeApplication, makeUser } from '../make/make.js';
import { suite } from '../setup/suite.js';
import { SwaggerUiPage } from './swagger-ui-page.js';

jest.setTimeout(180_000);

const SCRIPT = 'payload.working = { pressure: payload.data.pressure.toFixed(1) };';
const nodesWith = (script: string) => [
  { id: 'round', type: 'RawFunctionNode', meta: { label: 'Round' }, config: { script }, outputIds: [] },
];

/** The steps of `docs/guides/workflows.md` on the page. */
describeInChromium('a workflow on the Swagger UI', (newPage) => {
  const { test } = suite({ PROCESS_ROLE: 'all' }, { database: 'own' });

  it('is built, started, debugged, corrected and replayed', async () => {
    const user = await makeUser(test);
    const { id: applicationId } = await makeApplication(test, user.token);
    const ui = await SwaggerUiPage.open(newPage, test.client.url);
    await ui.signIn(user);
    await ui.button('Sign out').waitFor();

    /** Repeats an operation until its response contains a text, because runs end later. */
    const shows = async (id: string, parameters: Record<string, string>, text: string): Promise<string> => {
      for (;;) {
        const { status, shown } = await ui.execute(id, parameters);
        expect(status).toBe('200');
        if (shown.includes(text)) return shown;
      }
    };
    const idIn = (shown: string, name: string) => new RegExp(`"${name}": "(\\w{24})"`).exec(shown)![1]!;

    const body = {
      name: 'Alarm',
      triggers: [{ type: 'virtualButton', key: 'try', outputIds: [['round']] }],
      nodes: nodesWith(SCRIPT),
    };
    const built = await ui.execute('flows_post', { applicationId }, JSON.stringify(body));
    expect(built.status).toBe('201');
    const flow = { applicationId, flowId: idIn(built.shown, 'flowId') };

    const press = JSON.stringify({ key: 'try', payload: { pressure: '9.4' } });
    expect((await ui.execute('flow_pressVirtualButton', flow, press)).status).toBe('200');
    expect(await shows('flow_errors', flow, 'FunctionNodeTypeError')).toContain('"nodeLabel": "Round"');

    const flowRunId = idIn(await shows('flowRuns_get', flow, '"hasTrace": true'), 'flowRunId');
    const trace = await shows('flowRun_trace', { ...flow, flowRunId }, 'executions');
    expect(trace).toContain('"outcome": "failed"');

    const fixed = JSON.stringify({ nodes: nodesWith(SCRIPT.replace('payload.data.pressure', 'Number($&)')) });
    expect((await ui.execute('flow_patch', flow, fixed)).status).toBe('200');
    const replayed = await ui.execute('flowRun_replay', { ...flow, flowRunId });
    const again = idIn(replayed.shown, 'flowRunId');
    expect(await shows('flowRun_get', { ...flow, flowRunId: again }, 'finishedAt')).toContain(
      '"pathsCompleted": 1',
    );

    expect((await ui.execute('flow_debugStream', flow)).shown).toContain(
      'Run the command above in a terminal',
    );
    expect(ui.faults).toEqual([]);
  });
});
