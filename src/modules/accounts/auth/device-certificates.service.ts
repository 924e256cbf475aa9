import { Injectable } from '@nestjs/common';
import { isValidAt, type Certificate } from '../../../platform/certificates/certificate.js';
import { Certificates } from '../../../platform/certificates/certificates.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import type { CertificateClaim } from '../../../platform/access/token-signer.js';
import { CertificateAuthoritiesService } from '../../keys/certificate-authorities/certificate-authorities.service.js';
import { assertDeviceCertificate } from '../../keys/certificates/certificate.rules.js';
import { DeviceSignInRepository, type SignedInDevice } from './device-sign-in.repository.js';

/** Device authenticated by a certificate, and the end of the certificate's validity. */
export interface CertifiedDevice {
  device: SignedInDevice;
  claim: CertificateClaim;
  ends: Date;
}

/**
 * Authenticates devices by a registered certificate or one whose common name is the device ID. In both cases, the
 * certificate must be signed directly by an active authority of the application. Intermediate certificates and
 * submitted chains are ignored.
 */
@Injectable()
export class DeviceCertificates {
  constructor(
    private readonly devices: DeviceSignInRepository,
    private readonly authorities: CertificateAuthoritiesService,
    private readonly certificates: Certificates,
  ) {}

  /**
   * Returns the device with that certificate, or `undefined` if it cannot use the certificate. `der` is untrusted.
   * `network` is the network of the client, whose turn the work takes.
   */
  async identify(deviceId: string, der: Buffer, network: string): Promise<CertifiedDevice | undefined> {
    const certificate = await this.read(der, network);
    const now = new Date();
    if (!certificate || !isValidAt(certificate, now)) return undefined;
    const applicationId = await this.devices.applicationOf(deviceId);
    if (applicationId === undefined) return undefined;
    const issuer = await this.authorities.issuerOf(applicationId, certificate, now, network);
    if (!issuer) return undefined;
    const claim: CertificateClaim = {
      digest: certificate.digest,
      own: certificate.info.commonName === deviceId,
      authority: issuer.authorityId,
      issuer: issuer.certificate.info.fingerprint,
    };
    const device = await this.devices.withCertificate(deviceId, claim);
    const ends = [certificate.notAfter, issuer.certificate.notAfter].sort((a, b) => +a - +b)[0]!;
    return device && { device, claim, ends };
  }

  /** Returns the certificate if it can be parsed and is valid for authenticating a device. */
  private async read(der: Buffer, network: string): Promise<Certificate | undefined> {
    try {
      const certificate = await this.certificates.readDer(der, 'certificate', network);
      assertDeviceCertificate(certificate);
      return certificate;
    } catch (error) {
      if (error instanceof ValidationError) return undefined;
      throw error;
    }
  }
}
