import { constantIdType, type GenerateIdConfig } from './config.js';
import { code, type Code } from '../../embedded/code.js';
import type { Emitter, NodeCode } from '../../embedded/emitter.js';
import { templateValue } from '../../embedded/template-emitter.js';

/** A fixed type of ID adds only its own code to the module; one from a template adds all. */
export const embedded: NodeCode<GenerateIdConfig> = {
  runtime: code`
    import * as ids from '../../nodes/generate-id/wasm/ids';
    import * as namedIds from '../../nodes/generate-id/wasm/named-ids';
    import { anyId } from '../../nodes/generate-id/wasm/any-id';`,
  emit: (config, to) => code`
    const id = ${identifier(config, to)};
    return id === null ? FAILED : ids.give(run, ${to.path(config.destinationPath)}, id);`,
};

/** Returns code for a `string`, or null if the run fails. */
function identifier({ idTypeTemplate, ...config }: GenerateIdConfig, to: Emitter): Code {
  const length = templateValue(to, String(config.numCharactersTemplate ?? ''), code`ids`);
  const name = [to.text(config.namespaceTemplate ?? ''), to.text(config.valueTemplate ?? '')] as const;
  switch (constantIdType(idTypeTemplate)) {
    case 'uuidv1':
      return code`ids.uuidOfTime()`;
    case 'uuidv3':
      return code`namedIds.uuidOfMd5(run, ${name[0]}, ${name[1]})`;
    case 'uuidv4':
      return code`ids.randomUuid()`;
    case 'uuidv5':
      return code`namedIds.uuidOfSha1(run, ${name[0]}, ${name[1]})`;
    case 'objectid':
      return code`ids.objectId()`;
    case 'nanoid':
      return code`ids.nanoid(run, ${length})`;
    case undefined:
      return code`anyId(run, ${to.text(idTypeTemplate!)}, ${name[0]}, ${name[1]}, ${length})`;
  }
}
