import { numbered, type Certificate } from '../../../platform/certificates/certificate.js';
import type { CertificateInfo } from '../../../platform/certificates/certificate-info.js';
import { KeyUsageFlags } from '../../../lib/crypto/x509.js';
import type { Certificates } from '../../../platform/certificates/certificates.js';
import { sha256 } from '../../../lib/crypto/hashes.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import type { ApplicationCertificateAuthorityPost } from './certificate-authority.resource.js';

const FIELD = 'applicationCertificateAuthority.caBundle';
const SIGNING_USAGES = KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign;

/** Properties derived from a bundle and stored with it. */
export interface BundleInfo {
  caInfo: CertificateInfo[];
  subjectKeys: string[];
}

/** Application of an authority, and what reads its bundle. */
interface AuthorityPlace {
  applicationId: string;
  ownerId: string;
  certificates: Certificates;
}

/** Returns the row of a new authority. Throws 400 if its bundle is not valid. */
export const newAuthority = async (
  application: AuthorityPlace,
  post: ApplicationCertificateAuthorityPost,
) => ({
  status: 'active' as const,
  ...post,
  ...(await bundleInfo(application, post.caBundle)),
});

/** Parses a bundle. Throws 400 for the first certificate that is not a certificate authority. */
export async function bundleInfo(
  { applicationId, ownerId, certificates: reader }: AuthorityPlace,
  caBundle: string,
): Promise<BundleInfo> {
  const certificates = await reader.readPem({ pem: caBundle, at: FIELD }, ownerId);
  for (const [i, certificate] of certificates.entries()) assertAuthority(certificate, numbered(FIELD, i));
  return {
    caInfo: certificates.map(({ info }) => info),
    subjectKeys: certificates.map(({ subject }) => subjectKey(applicationId, subject)),
  };
}

/** Returns the lookup key of an authority of an application. */
export const subjectKey = (applicationId: string, subject: string): string =>
  sha256(`${applicationId} ${subject}`);

function assertAuthority(certificate: Certificate, name: string): void {
  const { isAuthority, basicConstraints: constraints, keyUsage: usage } = certificate;
  if (!isAuthority || !constraints?.ca || !constraints.critical)
    throw new ValidationError(`${name} must have critical basicConstraints with CA:TRUE`);
  if (!usage?.critical || (usage.flags & SIGNING_USAGES) !== SIGNING_USAGES)
    throw new ValidationError(`${name} must have critical keyUsage with keyCertSign and cRLSign`);
  if (!certificate.subject) throw new ValidationError(`${name} must have a subject`);
}
