import { providerPair } from '../doubles/saml-identity-provider.js';

/** Address of the service that receives responses. */
export const ACS = 'https://portal.example.com/saml';
/** Metadata of the service `portal`. */
export const SERVICE = `<?xml version="1.0"?>
<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="portal">
  <!-- a comment -->
  <SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    <AssertionConsumerService index="0" Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${ACS}-old"/>
    <AssertionConsumerService index="1" isDefault="true" Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${ACS}"/>
  </SPSSODescriptor>
</EntityDescriptor>`;
/** Returns the content of a PEM. */
export const base64 = (pem: string) => pem.replace(/-----[^-]+-----|\s/g, '');
/** Metadata of the provider `idp`, which signs with `providerPair`. */
export const PROVIDER = `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="idp">
  <md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    <md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data>
      <ds:X509Certificate>${base64(providerPair.cert)}</ds:X509Certificate>
    </ds:X509Data></ds:KeyInfo></md:KeyDescriptor>
    <md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://idp.example.com/post"/>
    <md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.example.com/sso?tenant=7"/>
  </md:IDPSSODescriptor>
</md:EntityDescriptor>`;
