import { NAME_PATTERN } from '../../../platform/fields/fields.js';
import type { PipeTransform } from '@nestjs/common';
import { ValidationError } from '../../../lib/errors/errors.js';

const NAME = new RegExp(NAME_PATTERN);

/** Validates the attribute name in a path; throws a 400 error if it does not match the name pattern. */
export class AttributeNamePipe implements PipeTransform<string, string> {
  transform(name: string): string {
    if (!NAME.test(name)) throw new ValidationError('name is not the name of an attribute');
    return name;
  }
}
