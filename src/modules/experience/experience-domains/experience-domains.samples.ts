import { APPLICATION } from '../../../../test/contract/sample-paths.js';
import { type SampleBodies, type SampleRows } from '../../../../test/contract/samples.js';
import { uniqueName } from '../../../../test/make/make.js';
import { ExperienceDomain } from './experience-domain.resource.js';
import { newId } from '../../../platform/repositories/resource.js';

export const ROWS: SampleRows = {
  // Only applications of organizations are given one.
  [`${APPLICATION}/experience/domains/{experienceDomainId}`]: async ({ test }, ids) => {
    const id = newId();
    const now = new Date();
    const dates = { creationDate: now, lastUpdated: now };
    const row = {
      id,
      ...dates,
      applicationId: ids.applicationId!,
      domainName: `${uniqueName('d')}.example.com`,
    };
    await test.dataSource.manager.insert(ExperienceDomain, row);
    return id;
  },
};

export const ORGANIZATIONS_ONLY = ['experienceDomains.post'];

export const BODIES: SampleBodies = {
  'experienceDomains.post': () => ({ body: { domainName: `${uniqueName('d')}.example.com` } }),
};
