// Which names a script declares at its top level, from a real parser. Nothing is run.

import type { Pattern, Program } from 'acorn';

/** A name at the top level of a script. */
export type DeclaredName = { name: string; isFunction: boolean; isImport: boolean };

/** Finds every top-level name of plain JavaScript that is known to parse. */
export async function declaredNames(code: string): Promise<DeclaredName[]> {
  const { parse } = await import('acorn');
  const program = parse(code, {
    ecmaVersion: 'latest',
    sourceType: 'module',
    allowHashBang: true,
    allowReturnOutsideFunction: true,
    allowImportExportEverywhere: true,
    allowAwaitOutsideFunction: true,
  });
  return program.body.flatMap(namesOfStatement);
}

function namesOfStatement(statement: Program['body'][number]): DeclaredName[] {
  switch (statement.type) {
    case 'ImportDeclaration':
      return statement.specifiers.map(({ local }) => declared(local.name, { isImport: true }));
    case 'ExportNamedDeclaration':
      return statement.declaration == null ? [] : namesOfStatement(statement.declaration);
    case 'ExportDefaultDeclaration': {
      const { declaration } = statement;
      const isNamed = declaration.type === 'FunctionDeclaration' || declaration.type === 'ClassDeclaration';
      if (!isNamed || declaration.id == null) return [];
      return [declared(declaration.id.name, { isFunction: declaration.type === 'FunctionDeclaration' })];
    }
    case 'FunctionDeclaration':
      return [declared(statement.id.name, { isFunction: true })];
    case 'ClassDeclaration':
      return [declared(statement.id.name)];
    case 'VariableDeclaration':
      return statement.declarations.flatMap(({ id, init }) => {
        const isFunction = init?.type === 'ArrowFunctionExpression' || init?.type === 'FunctionExpression';
        return id.type === 'Identifier' ? [declared(id.name, { isFunction })] : namesOfPattern(id);
      });
    default:
      return [];
  }
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
    default:
      return [];
  }
}

function declared(name: string, { isFunction = false, isImport = false } = {}): DeclaredName {
  return { name, isFunction, isImport };
}
