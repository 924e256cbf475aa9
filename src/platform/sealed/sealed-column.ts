import type { SecretBox } from '../../lib/crypto/secrets.js';
import type { Secrets } from './sealed-config.js';

/** Column with values that are encrypted for their row. A value copied to another row or column cannot be decrypted. */
export class SealedColumn {
  /** `name` is `<table>:<column>`. It takes part in the encryption, so a changed name makes stored values unreadable. */
  constructor(private readonly name: string) {}

  seal(id: string, text: string, box: SecretBox): string {
    return box.seal(text, this.contextOf(id));
  }

  /** Throws if the value was changed, or was encrypted for another row or with another key. */
  open(id: string, sealed: string, box: SecretBox): string {
    return box.open(sealed, this.contextOf(id));
  }

  /** Encrypts the secrets of a configuration as one value. */
  sealSecrets(id: string, secrets: Secrets, box: SecretBox): string {
    return this.seal(id, JSON.stringify(secrets), box);
  }

  /** Returns the secrets of a configuration; none for `null`. */
  openSecrets(id: string, sealed: string | null, box: SecretBox): Secrets {
    return sealed === null ? {} : (JSON.parse(this.open(id, sealed, box)) as Secrets);
  }

  private contextOf(id: string): string {
    return `${this.name}:${id}`;
  }
}
