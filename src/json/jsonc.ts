// JSON with comments, with the line of every value.

import type { Node } from 'jsonc-parser';
import type { Problem } from '../errors.ts';
import { ConfigError } from '../errors.ts';
import { MAX_DEPTH, TOO_DEEP } from './nesting.ts';

/** The value of a file and the lines of its parts. */
export type JsonDocument = {
  value: unknown;
  /** The line of the value at a path such as `['client', 'ip']`, or of the nearest value around it. */
  lineOf(path: readonly string[]): number;
};

/** More syntax errors of a file are only counted: one mistake leads to many. */
export const MAX_SYNTAX_ERRORS = 20;

type Library = typeof import('jsonc-parser');

/** Reads JSON with comments and trailing commas. Throws the syntax errors in one ConfigError, located in file `name`. */
export async function parseJsonDocument(text: string, name: string): Promise<JsonDocument> {
  const library = await import('jsonc-parser');
  const content = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const problems = findSyntaxProblems(library, content, name);
  const tree = problems.length > 0 ? undefined : library.parseTree(content, [], { allowTrailingComma: true });
  if (tree === undefined) throw ConfigError.of(problems);

  const lineAt = createLineFinder(content);
  return {
    value: library.getNodeValue(tree),
    lineOf(path) {
      for (let length = path.length; length > 0; length--) {
        const node: Node | undefined = library.findNodeAtLocation(tree, path.slice(0, length));
        if (node !== undefined) return lineAt(node.parent?.offset ?? node.offset);
      }
      return lineAt(tree.offset);
    },
  };
}

/** The first syntax errors and the number of the others. The parser recurses, so nesting is checked before. */
function findSyntaxProblems(
  { createScanner, printParseErrorCode, visit }: Library,
  text: string,
  name: string,
): Problem[] {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (let token: number = scanner.scan(); token !== END; token = scanner.scan()) {
    if (token === OPEN_BRACE || token === OPEN_BRACKET) depth += 1;
    else if (token === CLOSE_BRACE || token === CLOSE_BRACKET) depth -= 1;
    if (depth > MAX_DEPTH)
      return [{ message: TOO_DEEP, at: `${name}:${String(scanner.getTokenStartLine() + 1)}` }];
  }

  const problems: Problem[] = [];
  let count = 0;
  visit(
    text,
    {
      onError(error, _offset, _length, line) {
        count += 1;
        const message = `invalid JSON: ${describe(printParseErrorCode(error))}`;
        if (count <= MAX_SYNTAX_ERRORS) problems.push({ message, at: `${name}:${String(line + 1)}` });
      },
    },
    { allowTrailingComma: true },
  );
  if (count > problems.length)
    problems.push({ message: `and ${String(count - problems.length)} more syntax errors`, at: name });
  return problems;
}

/** Values of the library's enum SyntaxKind, which its types declare as `const`. */
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET, END] = [1, 2, 3, 4, 17] as const;

/** Finds the line of an offset, from 1. */
function createLineFinder(text: string): (offset: number) => number {
  let breaks: number[] | undefined;
  return (offset) => {
    breaks ??= findBreaks(text);
    let [from, to] = [0, breaks.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((breaks[middle] ?? 0) < offset) from = middle + 1;
      else to = middle;
    }
    return from + 1;
  };
}

function findBreaks(text: string): number[] {
  const breaks: number[] = [];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) breaks.push(at);
  return breaks;
}

/** `CommaExpected` → `comma expected`. */
function describe(code: string): string {
  return code.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
}
