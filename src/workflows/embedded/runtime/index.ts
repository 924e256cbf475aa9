export * from './agent';
export {
  BUNDLE_IDENTIFIER,
  BUNDLE_IDENTIFIER_LENGTH,
  INTERFACE_VERSION,
  INTERFACE_VERSION_LENGTH,
} from './bundle';
export { non_optimized } from './imports';
import './abort';
