import { type SampleRows } from '../../../../test/contract/samples.js';

export const ROWS: SampleRows = {
  '/applicationTemplates/{templateId}': async (samples) =>
    (await samples.send('GET', '/applicationTemplates')).body.items[0].id,
};
