import type { Family } from '../../../platform/families.js';
import { ApiToken } from './api-token.resource.js';
import { ApiTokensModule } from './api-tokens.module.js';

/** API tokens of users, applications and instances. */
export const API_TOKENS_FAMILY: Family = {
  modules: [ApiTokensModule],
  entities: [ApiToken],
  countedRows: [
    {
      table: 'api_tokens',
      holder: 'owner_id',
      ofApplications: true,
      amounts: [
        {
          kind: `CASE r.owner_type WHEN 'user' THEN 'userApiTokenCount' ELSE 'apiTokenCount' END`,
          amount: '1',
        },
      ],
    },
  ],
  tag: {
    name: 'apiTokens',
    title: 'API tokens',
    group: 'Account',
    resources: [
      'userApiTokens',
      'userApiToken',
      'applicationApiTokens',
      'applicationApiToken',
      'instanceApiTokens',
      'instanceApiToken',
    ],
    description:
      'Tokens for programs: your own, and those that are restricted to an application or to an instance.',
  },
};
