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
  tags: [
    { name: 'userApiTokens', description: 'List and create your API tokens for programs.' },
    { name: 'userApiToken', description: 'Read, update and revoke one of your API tokens.' },
    {
      name: 'applicationApiTokens',
      description: 'List and create API tokens that are restricted to one application.',
      after: 'applicationJobLog',
    },
    {
      name: 'applicationApiToken',
      description: 'Read, update and revoke an API token of an application.',
      after: 'applicationApiTokens',
    },
    {
      name: 'instanceApiTokens',
      description: 'List and create API tokens for an instance and its organizations.',
      after: 'instanceSandbox',
    },
    {
      name: 'instanceApiToken',
      description: 'Read, update and revoke an API token of an instance.',
      after: 'instanceApiTokens',
    },
  ],
};
