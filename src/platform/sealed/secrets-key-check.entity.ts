import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** Single row that identifies the key with which the secrets in the database are encrypted. */
@Entity('secrets_key_checks')
@Check('secrets_key_checks_single', 'id = 1')
export class SecretsKeyCheck {
  @PrimaryColumn('int', { default: 1 })
  id: number;

  /** HMAC of a fixed text with the key, in hexadecimal. The key cannot be derived from it. */
  @Column('text')
  digest: string;
}
