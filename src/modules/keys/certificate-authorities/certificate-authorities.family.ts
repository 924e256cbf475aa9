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
  tag: {
    name: 'certificateAuthorities',
    title: 'Certificate authorities',
    group: 'Keys and certificates',
    resources: ['applicationCertificateAuthorities', 'applicationCertificateAuthority'],
    description: 'Certificate authorities, which sign device certificates.',
  },
};
