// Script tests, as reports show them.

import { typedScript } from '../../../model/script.ts';
import type { ReportKind } from '../kind.ts';
import { typedNames } from '../kind.ts';
import { scriptFailureOf } from './failure.ts';
import { mixedScriptEntries, scriptShape } from './json.ts';

export const scriptReport: ReportKind = {
  id: 'script',
  noun: 'test',
  verb: 'test',
  title: 'Script',
  subjectName: typedNames,
  failureOf: scriptFailureOf,
  throwsItself: true,
  hasOwnSuites: true,
  failureType: ({ status, verdicts: [first] = [] }) => (status === 'failed' ? first?.type : undefined),
  json: { shape: scriptShape, mixedEntries: mixedScriptEntries },
  headerInputs: 'Script',
  headerCases: { label: 'Tests', noun: 'function' },
  usesEnvironment: 'always',
  inputName: (input) => (input.type === 'script' ? input.script_path : ''),
  inputTitle: (input) => (input.type === 'script' ? input.script : ''),
  isInputOf: (input, testId) => input.type === 'script' && input.script === testId,
  rerunWords: (input, only) =>
    input.type === 'script' ? ['test', '-i', typedScript(input), ...only] : undefined,
};
