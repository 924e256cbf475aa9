import { bundled } from '../../../platform/bundles/bundled.js';
import {
  ApplicationCertificateAuthorityPost,
  CERTIFICATE_AUTHORITIES,
} from './certificate-authority.resource.js';
import { newAuthority } from './certificate-authority.rules.js';

export const BUNDLED_CERTIFICATE_AUTHORITIES = bundled({
  holding: CERTIFICATE_AUTHORITIES,
  resourceType: 'ApplicationCertificateAuthority',
  placeholderWord: 'applicationCertificateAuthority',
  place: { file: () => 'certificateAuthorities' },
  post: ApplicationCertificateAuthorityPost,
  row: (body, place) => newAuthority(place, body),
});
