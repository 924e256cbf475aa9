const COMPONENT = /\{\{[~#]*\s*component\s+(?:"([^"]{1,255})"|'([^']{1,255})')/g;

/** The names of the components that a template has in it, each once. */
export const componentsIn = (body: string): string[] => [
  ...new Set([...body.matchAll(COMPONENT)].map(([, quoted, single]) => (quoted ?? single)!)),
];
