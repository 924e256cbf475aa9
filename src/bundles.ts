import { BUNDLED_CERTIFICATE_AUTHORITIES } from './modules/certificate-authorities/certificate-authority.bundle.js';
import { BUNDLED_DEVICE_RECIPES } from './modules/device-recipes/device-recipe.bundle.js';
import { BUNDLED_WEBHOOKS } from './modules/webhooks/webhook.bundle.js';
import type { Bundled } from './platform/bundles/bundled.js';

/** Everything that bundles of applications hold, in the order in which it is made: what others belong to goes before them. */
export const bundles: readonly Bundled[] = [
  BUNDLED_CERTIFICATE_AUTHORITIES,
  BUNDLED_WEBHOOKS,
  BUNDLED_DEVICE_RECIPES,
];
