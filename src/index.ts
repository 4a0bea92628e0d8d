// The public API, listed by hand.

export { defineConfig } from './application/define-config.ts';
export type { AssayConfig } from './application/options/options.ts';
export { ConfigError, RuntimeError } from './errors.ts';
export type { Problem } from './errors.ts';
export type { AgentDefinition, ToolCall, Transcript, Usage } from './model/agent.ts';
export type { Assertion, CaseInput, Checkpoint, ContentPart, Message, TestCase, Turn } from './model/case.ts';
export { evaluate } from './evaluate/evaluate.ts';
export type { EvaluateRun } from './evaluate/evaluate.ts';
export type {
  AgentFunction,
  AgentSpec,
  EvaluateCase,
  EvaluateCases,
  EvaluateOptions,
} from './evaluate/options.ts';
export type { ContextData, ContextFile } from './model/context.ts';
export type { ResultEvent, ResumeEvent, RunEvent, StartEvent, Summary, SummaryEvent } from './model/event.ts';
export type { ErrorCode, Outcome, Status, Verdict } from './model/outcome.ts';
export type {
  ResolvedTestVariables,
  TestRunResolvedVariables,
  TestSuiteVariablesConfig,
  TestTypeVariablesSchema,
  TestVariableDataType,
  TestVariableDefinition,
  TestVariableDependency,
  TestVariableEntity,
  TestVariableOverride,
  TestVariablePossibleValue,
  TestVariablesConfig,
  TestVariableSource,
  TestVariableValue,
  TestVariableValueSource,
} from './model/variables.ts';
export type { UserContext } from './scripts/user-context.ts';
export type { JsonReport, ReportResult, ReportSummary } from './report/formats/json-report.ts';
export { VariableResolver } from './definitions/variable-resolver.ts';
export { TestEngine } from './run/test-engine.ts';
export type { ContextUser, SuiteRunOptions, TestRunOptions, TestRunResult } from './run/test-engine.ts';
export { parseValue as parseVariableValue } from './variables/values.ts';
export {
  discoverSkillTest,
  discoverSkillTests,
  findSkillFile,
  getSkillRecord,
  runTestFile,
  runTestFileInProcess,
  runTestSuite,
} from './kinds/skill/index.ts';
export type {
  DiscoverOptions,
  LookupOptions,
  RunOptions,
  SkillRecord,
  SkillTest,
  SuiteOptions,
  SuiteResult,
  TestResult,
} from './kinds/skill/index.ts';
// oxlint-disable-next-line import/no-default-export -- the documented form of the skill tests' API
export { default } from './kinds/skill/index.ts';
