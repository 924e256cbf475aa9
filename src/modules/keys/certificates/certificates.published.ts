import { issueAuthority, issueForDevice } from '../../../../test/make/certificates.js';
import { uniqueName } from '../../../../test/make/make.js';
import type { Published } from '../../../../test/contract/published.js';

/** Tests certificate authorities and device certificates. */
export function drive(published: Published): void {
  it('manages certificate authorities and the certificates they signed', async () => {
    const { api } = await published.signedIn();
    const { id: applicationId } = await api.applications!.post!({ application: { name: uniqueName() } });
    const authority = await issueAuthority({ subject: 'CN=Field CA' });
    const { id: applicationCertificateAuthorityId } = await api.applicationCertificateAuthorities!.post!({
      applicationId,
      applicationCertificateAuthority: { name: 'Makers', caBundle: authority.pem },
    });
    const authorities = { applicationId, applicationCertificateAuthorityId };
    expect((await api.applicationCertificateAuthorities!.get!({ applicationId })).items).toMatchObject([
      { name: 'Makers', caInfo: [{ commonName: 'Field CA' }] },
    ]);
    const { pem: certificate } = await issueForDevice(authority, { subject: 'CN=Pump 1' });
    const { id: applicationCertificateId } = await api.applicationCertificates!.post!({
      applicationId,
      applicationCertificate: { certificate },
    });
    const own = { applicationId, applicationCertificateId };
    const filter = { filterField: 'certificateInfo.commonName', filter: 'pump*' };
    expect((await api.applicationCertificates!.get!({ applicationId, ...filter })).items).toMatchObject([
      { id: applicationCertificateId, certificateInfo: { issuerName: 'Field CA' } },
    ]);
    const inactive = { status: 'inactive' };
    expect(
      await api.applicationCertificate!.patch!({ ...own, applicationCertificate: inactive }),
    ).toMatchObject(inactive);
    expect(await api.applicationCertificate!.get!(own)).toMatchObject(inactive);
    expect(await api.applicationCertificate!.delete!(own)).toEqual({ success: true });
    expect(
      await api.applicationCertificateAuthority!.patch!({
        ...authorities,
        applicationCertificateAuthority: inactive,
      }),
    ).toMatchObject(inactive);
    expect(await api.applicationCertificateAuthority!.get!(authorities)).toMatchObject(inactive);
    expect(await api.applicationCertificateAuthority!.delete!(authorities)).toEqual({ success: true });
  });
}
