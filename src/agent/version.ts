/**
 * Version of the gateway agent, which workflows require as `minimumAgentVersion`. It follows the numbers of published
 * workflows: the agent runs all triggers and nodes that they use up to this version, and refuses others by name.
 */
export const AGENT_VERSION = '2.6.0';

/** Returns whether a version `major.minor.patch` is not higher than that of the agent. */
export function isSupportedVersion(version: string): boolean {
  const [wanted, own] = [version, AGENT_VERSION].map((text) => text.split('.').map(Number));
  for (const [i, part] of own!.entries()) if (wanted![i] !== part) return (wanted![i] ?? 0) < part;
  return true;
}
