import { ConfigFault, requireProperty } from '../config-fault.js';
import { nodeConfig, PATH, TEMPLATE } from '../node-config.js';
import { checkNumber, checkTarget, checkTemplate } from '../texts.js';

/** Formats of IDs that workflows can generate. */
export const ID_TYPES = ['uuidv1', 'uuidv3', 'uuidv4', 'uuidv5', 'objectid', 'nanoid'] as const;
export type IdType = (typeof ID_TYPES)[number];

/** Generates an ID in the format of `idTypeTemplate`, case-insensitive. Defaults to a random UUID. */
export interface GenerateIdConfig {
  readonly idTypeTemplate?: string;
  /** Namespace UUID for `uuidv3` and `uuidv5`; the name follows. */
  readonly namespaceTemplate?: string;
  readonly valueTemplate?: string;
  /** Length of a `nanoid`, 1 to 256. Defaults to 21. */
  readonly numCharactersTemplate?: string | number;
  readonly destinationPath: string;
}

/** Maximum length of a `nanoid`. */
export const MAX_CHARACTERS = 256;

/** Returns the format of a template without references, which is the same in every run; otherwise `undefined`. */
export function constantIdType(template = ''): IdType | undefined {
  const name = template.trim().toLowerCase() || 'uuidv4';
  return ID_TYPES.find((type) => type === name);
}

export const config = nodeConfig<GenerateIdConfig>(
  {
    required: ['destinationPath'],
    properties: {
      idTypeTemplate: TEMPLATE,
      namespaceTemplate: TEMPLATE,
      valueTemplate: TEMPLATE,
      numCharactersTemplate: { anyOf: [TEMPLATE, { type: 'integer', minimum: 1, maximum: MAX_CHARACTERS }] },
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
      requireProperty('namespaceTemplate', namespaceTemplate);
      requireProperty('valueTemplate', valueTemplate);
    }
    if (config.numCharactersTemplate) checkSize(config.numCharactersTemplate);
    checkTarget('destinationPath', config.destinationPath);
  },
);

/** Checks the bounds of a size that is given as a number or as text. */
function checkSize(size: string | number): void {
  checkNumber('numCharactersTemplate', size);
  const number = Number(size);
  const isSize = Number.isInteger(number) && number >= 1 && number <= MAX_CHARACTERS;
  if (!Number.isNaN(number) && !isSize)
    throw new ConfigFault('numCharactersTemplate', `must be an integer from 1 to ${MAX_CHARACTERS}`);
}
