import { repositoryOf } from '../../../platform/repositories/repository.js';
import { APPLICATION_KEYS } from './application-key.resource.js';

/** Stores the access keys of applications. */
export class ApplicationKeysRepository extends repositoryOf(APPLICATION_KEYS) {}
