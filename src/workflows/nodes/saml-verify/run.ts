import { verifyAssertion } from '../../../lib/saml/assertions.js';
import { childrenOf, onlyChild, textOf, type XmlElement } from '../../../lib/saml/xml.js';
import { sha256 } from '../../../lib/crypto/hashes.js';
import type { NodeRun, RunPath } from '../../engine/node-run.js';
import { actorOf } from '../run-values.js';
import { partiesOf, samlError, samlParties, type SamlTexts } from '../saml.js';
import * as setting from '../settings.js';

const settings = setting.all(
  samlParties,
  setting.group({ samlResponseTemplate: setting.requiredTemplate, resultPath: setting.target }),
);

export const run: NodeRun<setting.Read<typeof settings>> = {
  settings,
  prepare:
    (config, { id = '' }) =>
    async (path) => {
      const { payload } = path;
      const texts = config.texts(payload.data);
      const response = config.samlResponseTemplate(payload.data);
      const { result, isValid } = await verdictOn(texts, response, path, id);
      config.resultPath(payload, result);
      return isValid ? 1 : 0;
    },
};

interface Verdict {
  readonly isValid: boolean;
  /** What the provider says about the user, or the error. */
  readonly result: object;
}

async function verdictOn(
  texts: SamlTexts,
  response: string,
  path: RunPath,
  nodeId: string,
): Promise<Verdict> {
  const verified = await verifiedIn(texts, response);
  if ('error' in verified) return { isValid: false, result: verified };
  // Responses can be seen in the history of browsers and in logs, so each signs in once.
  if (await isNew(path, nodeId, verified.id)) return { isValid: true, result: verified.attributes };
  return { isValid: false, result: samlError(new Error('the assertion was used before')) };
}

/** Returns the identifier and attributes of a valid response, or the error. */
async function verifiedIn(
  texts: SamlTexts,
  response: string,
): Promise<{ id: string; attributes: object } | ReturnType<typeof samlError>> {
  try {
    const { provider, service } = partiesOf(texts);
    const { assertion, assertionId } = await verifyAssertion(response, provider, service, new Date());
    return { id: sha256(`${provider.issuer} ${assertionId}`), attributes: attributesOf(assertion) };
  } catch (error) {
    return samlError(error);
  }
}

/** Returns whether a node has not seen an identifier. A repeated run receives the same result. */
const isNew = (path: RunPath, nodeId: string, identifier: string): Promise<boolean> =>
  path.run.ports.storage.update(actorOf(path), nodeId, identifier, (seen) => ({
    state: true,
    result: seen !== true,
  }));

/** Returns the attributes by name: a text, or a list if there are several values. `nameID` is the name of the user. */
function attributesOf(assertion: XmlElement): Record<string, unknown> {
  const given = childrenOf(assertion, 'AttributeStatement')
    .flatMap((statement) => childrenOf(statement, 'Attribute'))
    .map((attribute): [string, unknown] => {
      const values = childrenOf(attribute, 'AttributeValue').map(textOf);
      return [attribute.attributes.get('Name') ?? '', values.length === 1 ? values[0] : values];
    });
  const nameID = textOf(onlyChild(onlyChild(assertion, 'Subject'), 'NameID'));
  return Object.fromEntries([['nameID', nameID], ...given.filter(([name]) => name !== '')]);
}
