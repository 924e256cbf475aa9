import type { PipeTransform } from '@nestjs/common';
import { ValidationError } from '../../../lib/errors/errors.js';
import { inspectText } from '../../../platform/server/read-body.js';

const FIELD = 'experienceVersionIdOrName';
const MAX_LENGTH = 255;

/** Validates the name or ID of a version in a path. Throws 400 if it is neither. */
export class VersionNamePipe implements PipeTransform<string, string> {
  transform(idOrName: string): string {
    inspectText(idOrName, FIELD);
    if (idOrName.length > MAX_LENGTH)
      throw new ValidationError(`${FIELD} must have at most ${MAX_LENGTH} characters`);
    return idOrName;
  }
}
