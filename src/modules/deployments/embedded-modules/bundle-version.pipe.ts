import type { PipeTransform } from '@nestjs/common';
import { ValidationError } from '../../../lib/errors/errors.js';

const BUNDLE_VERSION = /^\w{1,255}$/;

/** Parses a bundle version in a path. Throws `400` if it is invalid. */
export class BundleVersionPipe implements PipeTransform<string, string> {
  transform(version: string): string {
    if (!BUNDLE_VERSION.test(version))
      throw new ValidationError('bundleVersion is not the version of a bundle');
    return version;
  }
}
