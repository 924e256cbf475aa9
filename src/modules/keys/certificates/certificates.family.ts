import type { Family } from '../../../platform/families.js';
import { ApplicationCertificate, CERTIFICATES } from './certificate.resource.js';
import { CertificatesModule } from './certificates.module.js';
import { WITHDRAWN_CERTIFICATES, WithdrawnCertificate } from './withdrawn-certificate.entity.js';

/** Certificates with which devices authenticate. */
export const CERTIFICATES_FAMILY: Family = {
  modules: [CertificatesModule],
  entities: [ApplicationCertificate, WithdrawnCertificate],
  holdings: [WITHDRAWN_CERTIFICATES, CERTIFICATES],
  neverBundled: {
    application_certificates: 'A certificate identifies a device of this application.',
    withdrawn_certificates: 'Certificates belong to one application.',
  },
  tag: {
    name: 'certificates',
    title: 'Certificates',
    group: 'Keys and certificates',
    resources: ['applicationCertificates', 'applicationCertificate'],
    description: 'Certificates, with which devices authenticate.',
  },
};
