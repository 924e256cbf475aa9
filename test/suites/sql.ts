import ts from 'typescript';

/** Matches text that is not prose: uppercase keywords of statements, and PostgreSQL syntax. */
const SQL = new RegExp(
  [
    /\b(?:SELECT|RETURNING|WHERE|INSERT INTO|DELETE FROM|ORDER BY|GROUP BY|ON CONFLICT|UNION ALL|FOR UPDATE|NO KEY UPDATE)\b/,
    /\bUPDATE \S+ (?:AS )?(?:\w+ )?SET\b/,
    /\b(?:FROM|JOIN) [a-z_]+\b/,
    /\bIS (?:NOT )?NULL\b/,
    /\bEXISTS ?\(/,
    /\b(?:coalesce|json_\w+|jsonb_\w+|to_char|array_agg|nullif|concat_ws|unnest)\(/,
    /\b(?:count\(\*\)|now\(\)|ILIKE)/,
    /\w::(?:jsonb?|text|float8|bigint|integer|timestamptz)\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
);

/**
 * Returns the database access in a file that is not a repository: SQL, functions that run it, and other access to rows.
 */
export function sqlIn(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const faults: string[] = [];
  const fault = (node: ts.Node, what: string) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    faults.push(`${file}:${line + 1} ${what}`);
  };
  const visit = (node: ts.Node): void => {
    // The condition of a partial index is part of the entity; migrations contain it too.
    if (ts.isDecorator(node) && /^@Index\b/.test(node.getText())) return;
    if (ts.isImportDeclaration(node)) {
      const from = (node.moduleSpecifier as ts.StringLiteral).text;
      if (from.endsWith('/database/statements.js')) fault(node, 'prepares statements');
      return;
    }
    if (isText(node) && SQL.test(node.text)) fault(node, `has SQL: ${node.text.trim().slice(0, 60)}`);
    if (ts.isIdentifier(node) && node.text === 'InjectRepository') fault(node, 'injects rows');
    if (ts.isPropertyAccessExpression(node)) {
      if (node.name.text === 'createQueryBuilder') fault(node, 'builds a query');
      else if (/\bmanager$/.test(node.expression.getText())) fault(node, `calls manager.${node.name.text}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return faults;
}

const isText = (node: ts.Node): node is ts.StringLiteral | ts.TemplateLiteralLikeNode =>
  ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);

/** Whether a file declares an entity, which is a class with a table. */
export const hasEntity = (text: string): boolean => /^@Entity\(/m.test(text);
