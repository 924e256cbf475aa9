import type { Family } from '../../../platform/families.js';
import { CertificateAuthoritiesModule } from './certificate-authorities.module.js';
import { BUNDLED_CERTIFICATE_AUTHORITIES } from './certificate-authority.bundle.js';
import {
  ApplicationCertificateAuthority,
  CERTIFICATE_AUTHORITIES,
} from './certificate-authority.resource.js';

/** Certificate authorities, which sign device certificates. */
export const CERTIFICATE_AUTHORITIES_FAMILY: Family = {
  modules: [CertificateAuthoritiesModule],
  entities: [ApplicationCertificateAuthority],
  holdings: [CERTIFICATE_AUTHORITIES],
  bundles: [BUNDLED_CERTIFICATE_AUTHORITIES],
  tags: [
    {
      name: 'applicationCertificateAuthorities',
      description: 'List and register certificate authorities, which sign device certificates.',
    },
    {
      name: 'applicationCertificateAuthority',
      description: 'Read, update and delete a certificate authority.',
    },
  ],
};
