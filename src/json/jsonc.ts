// JSON with comments, with the line of every value.

import type { Node } from 'jsonc-parser';
import type { Problem } from '../errors.ts';
import { ConfigError } from '../errors.ts';

/** The value of a file and the lines of its parts. */
export type JsonDocument = {
  value: unknown;
  /** The line of the value at a path such as `['client', 'ip']`, or of the nearest value around it. */
  lineOf(path: readonly string[]): number;
};

/** Reads JSON with comments and trailing commas. Throws all syntax errors in one ConfigError, located in file `name`. */
export async function parseJsonDocument(text: string, name: string): Promise<JsonDocument> {
  const { findNodeAtLocation, getNodeValue, parseTree, printParseErrorCode } = await import('jsonc-parser');
  const errors: { error: number; offset: number; length: number }[] = [];
  const content = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const tree = parseTree(content, errors, { allowTrailingComma: true });
  if (errors.length > 0 || tree === undefined) throw ConfigError.of(syntaxProblems());

  return {
    value: getNodeValue(tree),
    lineOf(path) {
      for (let length = path.length; length > 0; length--) {
        const node: Node | undefined = findNodeAtLocation(tree, path.slice(0, length));
        if (node !== undefined) return lineAt(node.parent?.offset ?? node.offset);
      }
      return lineAt(tree.offset);
    },
  };

  function syntaxProblems(): Problem[] {
    if (tree === undefined && errors.length === 0) return [{ message: 'the file is empty', at: name }];
    return errors.map(({ error, offset }) => ({
      message: `invalid JSON: ${describe(printParseErrorCode(error))}`,
      at: `${name}:${lineAt(offset)}`,
    }));
  }

  function lineAt(offset: number): number {
    return content.slice(0, offset).split('\n').length;
  }
}

/** `CommaExpected` → `comma expected`. */
function describe(code: string): string {
  return code.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
}
