import { NAME_PATTERN } from '../../../platform/fields/fields.js';
import type { PipeTransform } from '@nestjs/common';
import { ValidationError } from '../../../lib/errors/errors.js';

const NAME = new RegExp(NAME_PATTERN);

/** The name of an attribute in a path; 400 for what none can have. */
export class AttributeNamePipe implements PipeTransform<string, string> {
  transform(name: string): string {
    if (!NAME.test(name)) throw new ValidationError('name is not the name of an attribute');
    return name;
  }
}
