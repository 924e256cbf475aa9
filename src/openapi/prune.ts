import type { OpenAPIObject } from '@nestjs/swagger';

const COMPONENTS = '#/components/';

/**
 * Removes components that no operation refers to. Any matching string counts as a reference, including those in
 * mappings.
 */
export function prune(document: OpenAPIObject): void {
  const { securitySchemes, ...others } = document.components!;
  const parts = others as Record<string, Record<string, unknown>>;
  const reached = new Set<string>();
  const walk = (node: unknown): void => {
    if (typeof node === 'object' && node !== null) Object.values(node).forEach(walk);
    if (typeof node !== 'string' || !node.startsWith(COMPONENTS) || reached.has(node)) return;
    reached.add(node);
    const [kind = '', name = ''] = node.slice(COMPONENTS.length).split('/');
    walk(parts[kind]?.[name]);
  };
  walk({ ...document, components: { securitySchemes } });
  for (const [kind, named] of Object.entries(parts)) {
    for (const name of Object.keys(named)) {
      if (!reached.has(`${COMPONENTS}${kind}/${name}`)) delete named[name];
    }
  }
}
