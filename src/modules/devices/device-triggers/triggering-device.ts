/** Properties of a device that determine which workflows it triggers. */
export interface TriggeringDevice {
  id: string;
  applicationId: string;
  tags: readonly { key: string; value: string }[];
}

const MAX_TAGS = 100;

/** Returns the triggers of a type by tag, in the form `key/value`; an empty part matches any. */
export function byTags(type: string, { tags }: TriggeringDevice): { type: string; key: string }[] {
  const keys = tags
    .slice(0, MAX_TAGS)
    .flatMap(({ key, value }) => [`${key}/${value}`, `${key}/`, `/${value}`]);
  return [...new Set(['/', ...keys])].map((key) => ({ type, key }));
}
