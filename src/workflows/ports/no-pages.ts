import type { PagesPort } from '../engine/ports.js';
import { RunFault } from '../engine/run-error.js';

/** Pages of a platform that does not render any. */
export const NO_PAGES: PagesPort = {
  render: () => Promise.reject(new RunFault('NotAvailable', 'Pages are not available in this version')),
};
