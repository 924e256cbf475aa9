import { repositoryOf } from '../../../platform/repositories/repository.js';
import { Credential, CREDENTIALS } from './credential.resource.js';

/** Stores the credentials of applications. */
export class CredentialsRepository extends repositoryOf(CREDENTIALS) {
  /** Returns the credential with this name, including its secrets, or `null`. */
  named(applicationId: string, name: string): Promise<Credential | null> {
    return this.rows.findOneBy({ applicationId, name });
  }
}
