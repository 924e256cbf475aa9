import { RECENT_APPLICATION } from './modules/applications/applications/applications.repository.js';
import { RECENT_DEVICE } from './modules/devices/devices/devices.repository.js';
import { RECENT_FLOW } from './modules/flows/flows/flows.repository.js';
import { RECENT_ORGANIZATION } from './modules/accounts/orgs/orgs.repository.js';
import type { RecentKinds } from './platform/recent/recent-kinds.js';

/** All kinds of recently viewed items. */
export const recentKinds: RecentKinds = {
  application: RECENT_APPLICATION,
  device: RECENT_DEVICE,
  flow: RECENT_FLOW,
  organization: RECENT_ORGANIZATION,
};
