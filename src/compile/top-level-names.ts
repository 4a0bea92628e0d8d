// The names that a script declares, found quickly with regular expressions.

export type ScriptNames = {
  /** Names it seems to declare or export. Complete for the top level; may include nested names or names in comments. */
  names: string[];
  /** False if it may export names that its text does not show (`export *`, CommonJS). */
  isComplete: boolean;
  /** True if it assigns exports and has no import or export statement. */
  isCommonJs: boolean;
};

const DECLARATION =
  /\b(?:function\s*\*?|class|const|let|var|enum)\s+([\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*)/gu;
const FURTHER_DECLARATOR =
  /^[ \t]*,?[ \t]*([\p{ID_Start}$_][\p{ID_Continue}$]*)[ \t]*(?::[^=\n]*)?=(?![=>])/gmu;
const SAME_LINE_DECLARATOR = /,\s*([\p{ID_Start}$_][\p{ID_Continue}$]*)\s*=(?![=>])/gu;
const PATTERN = /\b(?:const|let|var)\s*([{[][^=;]*)=/gu;
const EXPORT_LIST = /\bexport\s*\{([^}]*)\}/gu;
const NAME = /[\p{ID_Start}$_][\p{ID_Continue}$]*/gu;

/** Finds the names a script declares or exports. */
export function topLevelNames(source: string): ScriptNames {
  const names = new Set<string>();
  for (const pattern of [DECLARATION, FURTHER_DECLARATOR, SAME_LINE_DECLARATOR]) {
    for (const match of source.matchAll(pattern)) names.add(match[1] ?? '');
  }
  for (const pattern of [PATTERN, EXPORT_LIST]) {
    for (const match of source.matchAll(pattern)) {
      for (const name of (match[1] ?? '').matchAll(NAME)) names.add(name[0]);
    }
  }
  const hasModuleSyntax = /^[ \t]*(?:import|export)\b(?!\s*\()/m.test(source);
  const isCommonJs = !hasModuleSyntax && /\bmodule\.exports\b|\bexports\s*[.[]/.test(source);
  return {
    names: [...names].filter((name) => !RESERVED.has(name)),
    isComplete: !isCommonJs && !/\bexport\s*\*/.test(source),
    isCommonJs,
  };
}

// Words that cannot be used as a name in module code.
const RESERVED = new Set(
  (
    'arguments as async await break case catch class const continue debugger default delete do else enum eval export extends false ' +
    'finally for function if implements import in instanceof interface let new null package private protected public return ' +
    'static super switch this throw true try typeof undefined var void while with yield'
  ).split(' '),
);
