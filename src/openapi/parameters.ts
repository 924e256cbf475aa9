import { ID_EXAMPLE } from '../platform/fields/fields.js';
import { pathIdOf } from '../platform/access/path-id.js';
import type { Operation } from './operations.js';

/** Examples of path parameters that are not IDs. */
const NAME_EXAMPLES: Readonly<Record<string, string>> = {
  bundleVersion: '1781323200000',
  experienceVersionIdOrName: 'v1.0.0',
  name: 'pressure',
};

/** Documents path parameters that the handler does not declare. All IDs get the same schema. */
export function documentPathParameters(path: string, operation: Operation): void {
  const others = (operation.parameters ?? []).filter((parameter) => parameter.in !== 'path');
  const inPath = [...path.matchAll(/([\w-]+)\/\{(\w+)\}/g)].map(([, collection = '', name = '']) => {
    const words = (text: string) => text.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    if (!name.endsWith('Id')) {
      const description = `${words(name).replace(/^./, (letter) => letter.toUpperCase())}, as listed by the ${collection}.`;
      return {
        name,
        in: 'path',
        required: true,
        description,
        schema: { type: 'string' },
        example: NAME_EXAMPLES[name],
      };
    }
    const what = words(name.replace(/Id$/, ''));
    return {
      name,
      in: 'path',
      required: true,
      description: `ID of the ${what}.`,
      schema: { type: 'string', pattern: pathIdOf(name).pattern },
      example: ID_EXAMPLE,
    };
  });
  operation.parameters = [...inPath, ...others];
}
