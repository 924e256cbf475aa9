import { DECORATORS } from '@nestjs/swagger';

/** Returns the name of the component that describes a class in the document. */
export function componentName(type: Function): string {
  const declared = Reflect.getMetadata(DECORATORS.API_SCHEMA, type) as { name?: string }[] | undefined;
  return declared?.[0]?.name ?? type.name;
}
