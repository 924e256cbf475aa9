import type { JsonSchema } from './fields.js';

/** What an owner may have at most; every kind of owner has these, some have more. */
const OWNER_LIMITS: Readonly<Record<string, string>> = {
  apitoken: 'API tokens',
  application: 'applications',
  applicationFlowSlots: 'workflows an application may run at once',
  applicationcertificate: 'device certificates',
  applicationcertificateauthority: 'certificate authorities',
  applicationkey: 'access keys',
  credential: 'service credentials',
  dashboard: 'dashboards',
  dataTTL: 'seconds that device data is kept',
  datatable: 'data tables',
  device: 'devices',
  devicerecipe: 'device recipes',
  experienceFlowSlots: 'experience workflows an application may run at once',
  experiencedomain: 'experience domains',
  experienceendpoint: 'experience endpoints',
  experiencegroup: 'experience groups',
  experienceslug: 'experience slugs',
  experienceuser: 'experience users',
  experienceversion: 'experience versions',
  experienceview: 'experience views',
  file: 'files',
  flow: 'workflows',
  integration: 'integrations',
  notebook: 'notebooks',
  notebookInParallel: 'notebooks run at once',
  notebookMinutesPerMonth: 'notebook minutes a month',
  notebookMinutesPerRun: 'notebook minutes a run',
  payload: 'payloads a billing period',
  privatefile: 'private files',
  resourcejob: 'resource jobs',
  storage: 'bytes of workflow storage',
  systemInterval: 'least seconds between two reports of a system',
  webhook: 'webhooks',
};
const LEAST: Readonly<Record<string, number>> = { dataTTL: 86_400, systemInterval: 5 };
const EXAMPLES: Readonly<Record<string, number>> = { dataTTL: 2_592_000, systemInterval: 60 };
const MOST: Readonly<Record<string, number>> = { systemInterval: 3_600 };

/** Device data is kept for 30 days unless an owner's limits say otherwise. */
export const DEFAULT_LIMITS = { dataTTL: 30 * 86_400 } as const;

/** The schema of an owner's limits. A limit that is absent does not apply; 0 allows none. */
export function limitsSchema(title: string, more: Readonly<Record<string, string>> = {}): JsonSchema {
  const properties = Object.entries({ ...OWNER_LIMITS, ...more }).map(([name, meaning]) => [
    name,
    {
      type: 'integer',
      minimum: LEAST[name] ?? 0,
      ...(MOST[name] ? { maximum: MOST[name] } : {}),
      description: `At most so many ${meaning}.`,
      example: EXAMPLES[name] ?? 100,
    },
  ]);
  return {
    title,
    type: 'object',
    additionalProperties: false,
    description: 'What the owner may have at most. A limit that is absent does not apply; 0 allows none.',
    properties: Object.fromEntries(properties),
  };
}
