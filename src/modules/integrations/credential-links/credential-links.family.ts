import type { Family } from '../../../platform/families.js';
import { CredentialLinksModule } from './credential-links.module.js';

/** Links between credentials and the resources that authenticate with them. */
export const CREDENTIAL_LINKS_FAMILY: Family = { modules: [CredentialLinksModule] };
