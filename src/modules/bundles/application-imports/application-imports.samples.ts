import { type SampleBodies, type SampleAttempts } from '../../../../test/contract/samples.js';
import { BARE } from '../../../../test/make/bundle-imports.js';
import { zipOf } from '../../../../test/make/zip-files.js';

export const BODIES: SampleBodies = {
  'applications.import': async () => ({ body: await bundleForm() }),
  'application.applyTemplate': async (samples) => ({
    body: { templateId: await samples.idOf('/applicationTemplates/{templateId}') },
  }),
  'application.import': async () => ({ body: await bundleForm() }),
};

export const ATTEMPTS: SampleAttempts = {
  'applications.import': () => ({ body: linkForm() }),
};

/** The form of an import, with the least that a bundle has. */
async function bundleForm(): Promise<FormData> {
  const form = new FormData();
  form.append('importBundle', new Blob([new Uint8Array(await zipOf(BARE))]), 'bundle.zip');
  return form;
}

/** The form of an import with a link to a bundle. */
function linkForm(): FormData {
  const form = new FormData();
  form.append('options', JSON.stringify({ importUrl: 'https://example.com/bundle.zip' }));
  return form;
}
