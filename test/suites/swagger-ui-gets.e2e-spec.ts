import type { OpenAPIObject } from '@nestjs/swagger';
import { prune } from '../../src/openapi/prune.js';
import { Samples } from '../contract/samples.js';
import { describeInChromium } from '../doubles/chromium.js';
import { makeUser } from '../make/make.js';
import { sample, selected } from '../setup/selection.js';
import { suite } from '../setup/suite.js';
import { targetsOf, type Target } from './hostile/operations.js';
import { SwaggerUiPage } from './swagger-ui-page.js';

/** Operations for which no example is valid in every instance, with the shown message. */
const REFUSED = {
  'application.archiveData': expect.stringMatching(/^date must be within a day that /),
  'orgInvites.get': 'Invitation was not found',
};

/** One of five operations per run, and all of changed families, because each click costs half a second of CPU. */
const isChosen = ({ id }: Target): boolean =>
  sample(id, [true, false, false, false, false], 1).includes(true);

/** Swagger UI copies its document for each request, so each page shows only some operations. */
const OPERATIONS_ON_A_PAGE = 20;

describeInChromium('the Swagger UI', (newPage) => {
  const { test } = suite({ PROCESS_ROLE: 'api' });

  it('executes GETs with what the page prefills and the IDs of a filled instance', async () => {
    const user = await makeUser(test);
    const samples = new Samples(test, user).of(user, 'organization');
    const document = (await (await fetch(`${test.client.url}/docs/openapi.json`)).json()) as OpenAPIObject;
    const gets = selected(targetsOf(test.document)).filter(
      (target) => target.method === 'GET' && !target.streams && isChosen(target),
    );
    expect(gets.length).toBeGreaterThan(0);
    const expected = Object.fromEntries(
      Object.entries(REFUSED).filter(([refusedId]) => gets.some(({ id }) => id === refusedId)),
    );
    const refused: Record<string, string> = {};
    const faults: string[] = [];
    while (gets.length > 0) {
      const targets = gets.splice(0, OPERATIONS_ON_A_PAGE);
      const ui = await SwaggerUiPage.open(newPage, test.client.url, {
        document: partOf(document, targets),
        // Leaves little to paint.
        viewport: { width: 640, height: 320 },
      });
      await ui.authorize(user.token);
      for (const target of targets) {
        // Creates what the operation needs, such as the settings of an archive.
        await samples.requestFor(target);
        const { status, shown } = await ui.execute(
          target.id.replace('.', '_'),
          await samples.idsOf(target.path),
        );
        if (!status.startsWith('2')) refused[target.id] = /"message": "(.*)"/.exec(shown)?.[1] ?? shown;
      }
      faults.push(...ui.faults.filter((fault) => !fault.startsWith('Failed to load resource')));
      await ui.page.close();
    }
    expect({ refused, faults }).toEqual({ refused: expected, faults: [] });
  }, 600_000);
});

/** Returns the document with some of its operations. */
function partOf(document: OpenAPIObject, targets: readonly Target[]): OpenAPIObject {
  const part = structuredClone(document);
  part.paths = Object.fromEntries(targets.map(({ path }) => [path, { get: part.paths[path]!.get }]));
  prune(part);
  return part;
}
