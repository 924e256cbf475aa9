import { repositoryOf } from '../../../platform/repositories/repository.js';
import { INTEGRATIONS } from './integration.resource.js';

/** Stores the integrations of applications. */
export class IntegrationsRepository extends repositoryOf(INTEGRATIONS) {}
