// The rest of a configuration: settings of the run, and parts that have no equivalent.

import { isObject } from '../json/is-object.ts';
import type { Losses } from './losses.ts';
import type { OutputFiles } from './output/output-files.ts';
import type { Source } from './source/source.ts';
import { member } from './source/source.ts';

/** Parts that are read elsewhere, or mean nothing by themselves. */
const READ = ['$schema', 'description', 'prompts', 'providers', 'targets', 'tests', 'scenarios', 'defaultTest', 'assertionTemplates', 'definitions', 'tags', 'env', 'outputPath', 'evaluateOptions', 'commandLineOptions']; // prettier-ignore

type Words = { why: string; instead?: string };

const LOST: Record<string, Words> = {
  derivedMetrics: {
    why: 'metrics are not computed from other metrics',
    instead: 'gates compare metrics with limits: --gate "metric:tone >= 0.8" (docs/running.md#gates)',
  },
  extensions: {
    why: 'hooks get other arguments here',
    instead:
      '"before" and "after" of cases, --before-all and --after-all (docs/running.md#hooks-around-cases)',
  },
  metadata: { why: 'a run has no metadata' },
  nunjucksFilters: { why: 'filters of your own are code' },
  redteam: {
    why: 'Assay makes up no attacks',
    instead: 'save the generated tests with promptfoo redteam generate, and convert that file',
  },
  sharing: {
    why: 'nothing is uploaded',
    instead:
      'assay view shows the runs of a history, which may be a PostgreSQL that a team shares (docs/history.md)',
  },
  tracing: {
    why: 'there is no tracing of agents',
    instead: 'agents report their tool calls; tool_called and trajectory judge them',
  },
};

/** Settings of the run, by their keys in assay.config. */
type Settings = { runs?: number; parallel?: number; timeout?: string; output?: string[] };

/** Options of a run that only concern the program itself. */
const HARMLESS = ['cache', 'showProgressBar', 'generateSuggestions', 'verbose', 'share', 'table', 'progressBar', 'write', 'grader', 'noProgressBar']; // prettier-ignore

/** Reports what is lost, writes assay.config.ts and .env, and gives the tags of all cases. */
export function convertSettings(source: Source, files: OutputFiles, losses: Losses): { tags: string[] } {
  const config = isObject(source.value) ? source.value : {};
  for (const [name, value] of Object.entries(config)) {
    if (READ.includes(name) || value === undefined || value === null || name.startsWith('x-')) continue;
    const { why, instead } = (Object.hasOwn(LOST, name) ? LOST[name] : undefined) ?? {
      why: 'there is no equivalent of this field',
    };
    if (value === false) continue;
    losses.missing(source.at(name), name, why, instead);
  }
  writeEnvironment(member(source, 'env'), files, losses);
  const settings = readSettings(source, config, losses);
  if (Object.keys(settings).length > 0)
    files.add(
      'assay.config.ts',
      `export default ${JSON.stringify(settings, null, 2).replaceAll(/"(\w+)":/g, '$1:')};\n`,
    );
  const { tags } = config;
  return {
    tags: isObject(tags) ? Object.entries(tags).map(([key, value]) => `${key}:${String(value)}`) : [],
  };
}

function readSettings(source: Source, config: Record<string, unknown>, losses: Losses): Settings {
  const settings: Settings = {};
  for (const part of ['evaluateOptions', 'commandLineOptions']) {
    const options = isObject(config[part]) ? config[part] : {};
    for (const [name, value] of Object.entries(options)) {
      if (name === 'maxConcurrency' && isCount(value)) settings.parallel = value;
      else if (name === 'repeat' && isCount(value)) settings.runs = value;
      else if (name === 'timeoutMs' && isCount(value)) settings.timeout = `${value}ms`;
      else if (!HARMLESS.includes(name) && value !== 0 && value !== false)
        reportOption(source.at(part, name), part, name, losses);
      if (name === 'cache' && value === true)
        losses.note(
          source.at(part, name),
          `${part}.cache`,
          'answers are not cached by themselves',
          '--record and --replay keep them (docs/tapes.md)',
        );
    }
  }
  const outputs = [config['outputPath']].flat().filter((path) => typeof path === 'string');
  const known = outputs.filter((path) => /\.(?:json|jsonl|html|csv|xml|md)$/.test(path));
  for (const path of outputs)
    if (!known.includes(path))
      losses.missing(
        source.at('outputPath'),
        `outputPath: ${path}`,
        'there is no report of this format',
        'reports are .jsonl, .json, .md, .html, .csv or .xml',
      );
  if (known.length > 0) {
    settings.output = known;
    losses.note(
      source.at('outputPath'),
      'outputPath',
      'the files have the format of Assay (docs/reports.md)',
    );
  }
  return settings;
}

function reportOption(at: string, part: string, name: string, losses: Losses): void {
  const instead: Record<string, string> = {
    delay: '--parallel limits calls at the same time; a 429 is waited for',
    filterPattern: '--run <pattern> selects cases by their ids',
    maxEvalTimeMs: '--max-duration',
  };
  losses.missing(
    at,
    `${part}.${name}`,
    'there is no such setting',
    Object.hasOwn(instead, name) ? instead[name] : undefined,
  );
}

/** Values of the environment go to .env. Those that come from the environment are there anyway. */
function writeEnvironment(env: Source, files: OutputFiles, losses: Losses): void {
  if (!isObject(env.value)) return;
  const lines: string[] = [];
  for (const [name, value] of Object.entries(env.value)) {
    const text = String(value);
    if (/\{\{|\{%/.test(text))
      losses.note(env.at(name), `env: ${name}`, 'the variable is read from the environment');
    else lines.push(`${name}=${JSON.stringify(text)}`);
  }
  if (lines.length > 0) files.add('.env', `${lines.join('\n')}\n`);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0;
}
