import type { SamlIssuer, SamlService } from '../../lib/saml/assertions.js';
import { readProvider, readService } from '../../lib/saml/metadata.js';
import type { Compiled } from '../language/compile.js';
import * as setting from './settings.js';

/** Metadata of the service and of the provider, as XML. */
export interface SamlTexts {
  readonly service: string;
  readonly provider: string;
}

const metadata = setting.group({
  spMetadataTemplate: setting.requiredTemplate,
  idpMetadataTemplate: setting.requiredTemplate,
});

/** Settings of the two parties of a sign-in. A blank one fails the run. */
export const samlParties: setting.Setting<{ readonly texts: Compiled<SamlTexts> }> = (raw, at) => {
  const { spMetadataTemplate, idpMetadataTemplate } = metadata(raw, at);
  return {
    texts: (payload) => ({ service: spMetadataTemplate(payload), provider: idpMetadataTemplate(payload) }),
  };
};

/** Reads the parties of a sign-in. Throws an `Error`. */
export const partiesOf = ({
  service,
  provider,
}: SamlTexts): { service: SamlService; provider: SamlIssuer } => ({
  service: readService(service),
  provider: readProvider(provider),
});

/** Returns what a node writes for an error of the metadata or the response. */
export const samlError = (error: unknown): { error: { type: string; message: string } } => ({
  error: { type: 'SamlError', message: (error as Error).message },
});
