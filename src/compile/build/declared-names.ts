// The names that a script declares at its top level, found by a parser without running the script.

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
  const names = parseProgram(parseAs).body.flatMap(statementNames);
  return [...new Map(names.map((declared) => [declared.name, declared])).values()];
}

/** Falls back to a sloppy-mode script for CommonJS code that is not allowed in modules. */
function parseProgram(parseAs: (type: 'module' | 'script') => Program): Program {
  try {
    return parseAs('module');
  } catch (error) {
    if (error instanceof SyntaxError && /strict mode|reserved/i.test(error.message)) return parseAs('script');
    throw error;
  }
}

function statementNames(statement: Program['body'][number]): DeclaredName[] {
  const { type } = statement;
  if (type === 'ImportDeclaration')
    return statement.specifiers.map(({ local }) => declared(local.name, { isImport: true }));
  if (type === 'ExportNamedDeclaration')
    return statement.declaration == null ? [] : statementNames(statement.declaration);
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
    return id.type === 'Identifier' ? [declared(id.name, { isFunction })] : patternNames(id);
  });
}

function patternNames(pattern: Pattern): DeclaredName[] {
  switch (pattern.type) {
    case 'Identifier':
      return [declared(pattern.name)];
    case 'ObjectPattern':
      return pattern.properties.flatMap((property) =>
        patternNames(property.type === 'RestElement' ? property.argument : property.value),
      );
    case 'ArrayPattern':
      return pattern.elements.flatMap((element) => (element === null ? [] : patternNames(element)));
    case 'AssignmentPattern':
      return patternNames(pattern.left);
    case 'RestElement':
      return patternNames(pattern.argument);
    case 'MemberExpression':
      return [];
  }
}

function declared(name: string, { isFunction = false, isImport = false } = {}): DeclaredName {
  return { name, isFunction, isImport };
}
