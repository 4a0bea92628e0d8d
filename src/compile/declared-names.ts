// Which names a script declares at its top level, from a real parser. Nothing is run.

import type { Pattern, Program } from 'acorn';

/** A name at the top level of a script. */
export type DeclaredName = { name: string; isFunction: boolean; isImport: boolean };

/** Finds every top-level name of plain JavaScript that is known to parse. */
export async function declaredNames(code: string): Promise<DeclaredName[]> {
  const { parse } = await import('acorn');
  const parseAs = (sourceType: 'module' | 'script'): Program =>
    parse(code, {
      ecmaVersion: 'latest',
      sourceType,
      allowHashBang: true,
      allowReturnOutsideFunction: true,
      allowImportExportEverywhere: true,
      allowAwaitOutsideFunction: true,
    });
  const names = programOf(parseAs).body.flatMap(namesOfStatement);
  return [...new Map(names.map((declared) => [declared.name, declared])).values()];
}

/** CommonJS may do things that a module may not; what is wrong with a module is told in its own words. */
function programOf(parseAs: (type: 'module' | 'script') => Program): Program {
  try {
    return parseAs('module');
  } catch (error) {
    if (error instanceof SyntaxError && /strict mode|reserved/i.test(error.message)) return parseAs('script');
    throw error;
  }
}

function namesOfStatement(statement: Program['body'][number]): DeclaredName[] {
  const { type } = statement;
  if (type === 'ImportDeclaration')
    return statement.specifiers.map(({ local }) => declared(local.name, { isImport: true }));
  if (type === 'ExportNamedDeclaration')
    return statement.declaration == null ? [] : namesOfStatement(statement.declaration);
  if (type === 'ExportDefaultDeclaration') {
    const { declaration } = statement;
    const isFunction = declaration.type === 'FunctionDeclaration';
    if (!isFunction && declaration.type !== 'ClassDeclaration') return [];
    return declaration.id == null ? [] : [declared(declaration.id.name, { isFunction })];
  }
  if (type === 'FunctionDeclaration') return [declared(statement.id.name, { isFunction: true })];
  if (type === 'ClassDeclaration') return [declared(statement.id.name)];
  if (type !== 'VariableDeclaration') return [];
  return statement.declarations.flatMap(({ id, init }) => {
    const isFunction = init?.type === 'ArrowFunctionExpression' || init?.type === 'FunctionExpression';
    return id.type === 'Identifier' ? [declared(id.name, { isFunction })] : namesOfPattern(id);
  });
}

function namesOfPattern(pattern: Pattern): DeclaredName[] {
  switch (pattern.type) {
    case 'Identifier':
      return [declared(pattern.name)];
    case 'ObjectPattern':
      return pattern.properties.flatMap((property) =>
        namesOfPattern(property.type === 'RestElement' ? property.argument : property.value),
      );
    case 'ArrayPattern':
      return pattern.elements.flatMap((element) => (element === null ? [] : namesOfPattern(element)));
    case 'AssignmentPattern':
      return namesOfPattern(pattern.left);
    case 'RestElement':
      return namesOfPattern(pattern.argument);
    case 'MemberExpression':
      return [];
  }
}

function declared(name: string, { isFunction = false, isImport = false } = {}): DeclaredName {
  return { name, isFunction, isImport };
}
