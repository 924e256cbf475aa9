/** The part of the identity-provider library samlp that tests use. */
declare module 'samlp' {
  interface SamlResponseOptions {
    key: string;
    cert: string;
    issuer: string;
    audience: string;
    recipient: string;
    destination: string;
    inResponseTo?: string;
    lifetimeInSeconds: number;
    signatureAlgorithm: 'rsa-sha1' | 'rsa-sha256';
    digestAlgorithm: 'sha1' | 'sha256';
    signAssertion: boolean;
    signResponse: boolean;
    samlStatusCode?: string;
    encryptionCert?: string;
    encryptionPublicKey?: string;
    profileMapper: (user: unknown) => {
      getClaims: () => Record<string, string | string[]>;
      getNameIdentifier: () => { nameIdentifier: string; nameIdentifierFormat: string };
    };
  }

  const samlp: {
    getSamlResponse(
      options: SamlResponseOptions,
      user: unknown,
      callback: (error: Error | null, xml: string) => void,
    ): void;
  };
  export default samlp;
}
