import { ConfigFault, needed } from '../config-fault.js';
import { embeddedNode, PATH, TEMPLATE } from '../embedded-node.js';
import { checkNumber, checkTarget, checkTemplate } from '../texts.js';

/** The forms of identifiers that workflows can make. */
export const ID_TYPES = ['uuidv1', 'uuidv3', 'uuidv4', 'uuidv5', 'objectid', 'nanoid'] as const;
export type IdType = (typeof ID_TYPES)[number];

/** Makes an identifier of the form that `idTypeTemplate` names, in any case, by default a random UUID. */
export interface GenerateIdConfig {
  readonly idTypeTemplate?: string;
  /** The UUID and the name that `uuidv3` and `uuidv5` are made of. */
  readonly namespaceTemplate?: string;
  readonly valueTemplate?: string;
  /** How long a `nanoid` is, 1 to 256; 21 by default. */
  readonly numCharactersTemplate?: string | number;
  readonly destinationPath: string;
}

/** The most characters of a `nanoid`. */
const MOST_CHARACTERS = 256;

/** The form that a template names, where every run makes the same. */
export function constantIdType(template = ''): IdType | undefined {
  const name = template.trim().toLowerCase() || 'uuidv4';
  return ID_TYPES.find((type) => type === name);
}

export const GENERATE_ID = embeddedNode<GenerateIdConfig>(
  'GenerateIdNode',
  {
    required: ['destinationPath'],
    properties: {
      idTypeTemplate: TEMPLATE,
      namespaceTemplate: TEMPLATE,
      valueTemplate: TEMPLATE,
      numCharactersTemplate: { anyOf: [TEMPLATE, { type: 'integer', minimum: 1, maximum: MOST_CHARACTERS }] },
      destinationPath: PATH,
    },
  },
  ({ idTypeTemplate = '', namespaceTemplate = '', valueTemplate = '', ...config }) => {
    const type = constantIdType(idTypeTemplate);
    checkTemplate('idTypeTemplate', idTypeTemplate);
    if (!type && !idTypeTemplate.includes('{{'))
      throw new ConfigFault('idTypeTemplate', `must be one of ${ID_TYPES.join(', ')}`);
    checkTemplate('namespaceTemplate', namespaceTemplate);
    checkTemplate('valueTemplate', valueTemplate);
    if (type === 'uuidv3' || type === 'uuidv5') {
      needed('namespaceTemplate', namespaceTemplate);
      needed('valueTemplate', valueTemplate);
    }
    if (config.numCharactersTemplate) checkSize(config.numCharactersTemplate);
    checkTarget('destinationPath', config.destinationPath);
  },
);

/** A size that stands there as text is held to the bounds of one that is a number. */
function checkSize(size: string | number): void {
  checkNumber('numCharactersTemplate', size);
  const number = Number(size);
  const isSize = Number.isInteger(number) && number >= 1 && number <= MOST_CHARACTERS;
  if (!Number.isNaN(number) && !isSize)
    throw new ConfigFault('numCharactersTemplate', `must be an integer from 1 to ${MOST_CHARACTERS}`);
}
