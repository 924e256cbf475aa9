/** Returns whether an error is about the certificate or the TLS protocol of a server. */
export function isTlsError(error: unknown): error is Error {
  const { code } = error as { code?: unknown };
  return (
    typeof code === 'string' &&
    /^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL|ERR_OSSL)/.test(code)
  );
}
