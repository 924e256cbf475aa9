import type { PipeTransform } from '@nestjs/common';
import { ValidationError } from '../../../lib/errors/errors.js';
import { inspectText } from '../../../platform/server/read-body.js';

const AT = 'experienceVersionIdOrName';
const LONGEST = 255;

/** Validates the name or ID of a version in a path. Throws 400 if it is neither. */
export class VersionNamePipe implements PipeTransform<string, string> {
  transform(idOrName: string): string {
    inspectText(idOrName, AT);
    if (idOrName.length > LONGEST) throw new ValidationError(`${AT} must have at most ${LONGEST} characters`);
    return idOrName;
  }
}
