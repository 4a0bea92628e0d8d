// `assay report <log>`: makes reports of a run that is over, or of what a killed run left behind.

import { resolve } from 'node:path';
import { openApplication } from '../../application/open.ts';
import type { Parsed } from '../../application/options/parsers.ts';
import { parseCluster, parseCounts } from '../../application/options/parsers.ts';
import type { FlagsOf } from '../../application/options/options.ts';
import { ConfigError } from '../../errors.ts';
import type { Problem } from '../../errors.ts';
import type { EventSource } from '../../model/sink.ts';
import { createRedactor } from '../../secrets/redact.ts';
import { openLog, readStart } from '../../log/reader.ts';
import { refuseHeldLog } from '../../log/writer.ts';
import type { Format, ReporterFormat } from '../../report/registry.ts';
import { formatFor, isBuiltIn } from '../../report/registry.ts';
import type { TextStream } from '../../report/formats/write-report.ts';
import { writeReport } from '../../report/formats/write-report.ts';
import type { Io } from '../../run/io.ts';
import { lazySideCalls } from '../../run/lazy-side-calls.ts';
import { runContext } from '../../run/context.ts';

/** With `--json` the JSON report goes to stdout, unless an output is named. */
type ReportOptions = FlagsOf<'report'>;

type ReportIo = Pick<Io, 'cwd' | 'env'> & { stdout: TextStream };

/** Writes every report asked for; without one, the summary goes to stdout. Gives the exit code, throws what is wrong. */
export async function reportCommand(log: string, options: ReportOptions, io: ReportIo): Promise<number> {
  const { reporter } = options;
  const agent = reporter === undefined || isBuiltIn(reporter) ? undefined : await openReporter(reporter, io);
  try {
    const targets = targetsOf(options, agent?.format);
    const asked = readAsked(options);
    const file = resolve(io.cwd, log);
    await readStart(file);
    await writeAll(targets, file, io, asked);
    return 0;
  } finally {
    await agent?.close();
  }
}

async function writeAll(
  targets: readonly ReportTarget[],
  log: string,
  io: ReportIo,
  asked: Record<string, unknown>,
): Promise<void> {
  const logged = openLog(log);
  for (const { path } of targets) if (path.endsWith('.jsonl')) await refuseHeldLog(resolve(io.cwd, path));
  let failure: { error: unknown } | undefined;
  for (const { path, format } of targets) {
    try {
      const source = path.endsWith('.jsonl') ? logged : withFlags(logged, asked);
      await writeReport(source, format, path === '-' ? path : resolve(io.cwd, path), io);
    } catch (error) {
      // One report that cannot be written does not take the others along.
      failure ??= { error };
    }
  }
  if (failure !== undefined) throw failure.error;
}

/** The flags of a run that this report replaces. */
function readAsked({ k, cluster }: ReportOptions): Record<string, unknown> {
  return {
    ...(k !== undefined && { k: checked('--k', parseCounts(k)) }),
    ...(cluster !== undefined && { cluster: checked('--cluster', parseCluster(cluster)) }),
  };
}

function checked<T>(flag: string, parsed: Parsed<T>): T {
  if ('problem' in parsed) throw new ConfigError(`${flag} ${parsed.problem}`);
  return parsed.value;
}

/** The log as if its run had been started with these flags. */
function withFlags(source: EventSource, flags: Record<string, unknown>): EventSource {
  if (Object.keys(flags).length === 0) return source;
  return {
    async *events() {
      for await (const event of source.events())
        yield event.type === 'start' ? { ...event, flags: { ...event.flags, ...flags } } : event;
    },
  };
}

/** An agent as reporter, in the application that the working directory belongs to. */
async function openReporter(
  name: string,
  io: ReportIo,
): Promise<{ format: ReporterFormat; close(): Promise<void> }> {
  const { agentReporter, resolveReporter } = await import('../../run/optional/reporter-agent.ts');
  const { cwd } = io;
  const { root, env, dotenv, settings } = await openApplication(io);
  const { definition: agent, secrets } = await resolveReporter(name, { root, cwd, env });
  const redactor = createRedactor(secrets);
  const learn = (more: readonly string[]): void => redactor.learn(more);
  const sideCalls = lazySideCalls({ cwd, env: dotenv, retries: settings.retries, learn });
  const context = runContext({ test_id: 'report', subject: { kind: 'agent-eval', ...agent } }, {}, settings);
  return {
    format: agentReporter({ agent, context, root, verbose: false, sideCalls, redactor }),
    close: () => sideCalls.close(),
  };
}

type ReportTarget = { path: string; format: Format };

/** Checks all destinations before anything is written. */
function targetsOf(
  { output = [], reporter, json }: ReportOptions,
  agent: ReporterFormat | undefined,
): ReportTarget[] {
  if (output.length === 0) {
    const chosen = reporter ?? (json === true ? 'report.json' : 'report.summary');
    return [{ path: '-', format: formatFor('-', chosen, agent) }];
  }
  const targets: ReportTarget[] = [];
  const problems: Problem[] = [];
  for (const path of output) {
    try {
      targets.push({ path, format: formatFor(path, reporter, agent) });
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      problems.push(...error.problems);
    }
  }
  if (problems.length > 0) throw ConfigError.of(problems);
  return targets;
}
