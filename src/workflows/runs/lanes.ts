/** Number of lanes. An engine owns whole lanes, so this is also the maximum number of engines that share the runs. */
export const LANES = 64;

/** Returns the lane of the runs of an application. */
export function laneOf(applicationId: string): number {
  let hash = 0;
  for (let i = 0; i < applicationId.length; i++)
    hash = (Math.imul(hash, 31) + applicationId.charCodeAt(i)) >>> 0;
  return ((hash ^ (hash >>> 16)) >>> 0) % LANES;
}
