import { type SampleBodies } from '../../../../test/contract/samples.js';
import { uniqueName } from '../../../../test/make/make.js';

export const BODIES: SampleBodies = {
  'experienceViews.post': () => ({
    body: { viewType: 'page', name: uniqueName('view'), body: '<h1>{{pageData.title}}</h1>' },
  }),
};
