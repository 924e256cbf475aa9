import { Injectable } from '@nestjs/common';
import { Certificate } from '../../../platform/certificates/certificate.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import type { CertificateClaim } from '../../../platform/access/token-signer.js';
import { CertificateAuthoritiesService } from '../../keys/certificate-authorities/certificate-authorities.service.js';
import { demandOfDevice } from '../../keys/certificates/certificate.rules.js';
import { DeviceSignInRepository, type SignedInDevice } from './device-sign-in.repository.js';

/** A device that proved itself with a certificate, and until when that proves anything. */
export interface CertifiedDevice {
  device: SignedInDevice;
  claim: CertificateClaim;
  ends: Date;
}

/**
 * Finds devices that prove themselves with a certificate: one that is registered, or one that is made out to the device. In
 * either case an active authority of the application signed it itself; what stands between them, or came along, counts for
 * nothing.
 */
@Injectable()
export class DeviceCertificates {
  constructor(
    private readonly devices: DeviceSignInRepository,
    private readonly authorities: CertificateAuthoritiesService,
  ) {}

  /** The device with that certificate, or nothing where it may not use it. `der` is anybody's. */
  async identify(deviceId: string, der: Buffer): Promise<CertifiedDevice | undefined> {
    const certificate = readOfDevice(der);
    const now = new Date();
    if (!certificate?.isValidAt(now)) return undefined;
    const applicationId = await this.devices.applicationOf(deviceId);
    if (applicationId === undefined) return undefined;
    const issuer = await this.authorities.issuerOf(applicationId, certificate, now);
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
}

/** The certificate, where it can be read and is one that a device may prove itself with. */
function readOfDevice(der: Buffer): Certificate | undefined {
  try {
    const certificate = Certificate.read(der, 'certificate');
    demandOfDevice(certificate);
    return certificate;
  } catch (error) {
    if (error instanceof ValidationError) return undefined;
    throw error;
  }
}
