import type { PipeTransform } from '@nestjs/common';
import { ValidationError } from '../../../lib/errors/errors.js';

const BUNDLE_VERSION = /^\w{1,255}$/;

/** The version of a bundle in a path; 400 for what none can have. */
export class BundleVersionPipe implements PipeTransform<string, string> {
  transform(version: string): string {
    if (!BUNDLE_VERSION.test(version))
      throw new ValidationError('bundleVersion is not the version of a bundle');
    return version;
  }
}
