// The form that starts a run. It is sent only without problems.

import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { go, link } from '../route.ts';
import { Line } from '../ui/text.tsx';
import { plural } from '../ui/words.ts';
import { canWrite, loadAbout } from './about.ts';
import type { SentProblem } from './api.ts';
import { address, send } from './api.ts';
import type { EarlierValues } from './earlier-values.ts';
import type { Texts } from './fields.ts';
import { buildFields } from './fields.ts';
import { runProblems, sentValues } from './form-values.ts';
import type { Subject } from './subject.ts';
import { refusalFrom } from './use-answer.ts';
import { ProblemSummary, unreadableProblems, VariableFields } from './variable-form.tsx';

/** The name of the field for the number of runs; it is not a valid name of a variable. */
const RUNS = 'number of runs';

/** `earlier`: the initial values of the form. */
type StartFormProps = { subject: Subject; earlier?: EarlierValues };

/** The state of the form and its actions. */
function useStartForm({ subject, earlier }: StartFormProps) {
  const [texts, setTexts] = useState<Texts>(earlier?.texts ?? {});
  const [runs, setRuns] = useState(earlier?.runs ?? '');
  const [attempt, setAttempt] = useState(0);
  const [unreadable, setUnreadable] = useState<readonly SentProblem[]>([]);
  const [refused, setRefused] = useState<readonly SentProblem[]>([]);
  const [isSending, setSending] = useState(false);
  const fields = buildFields(subject, texts, 'run');
  const found = [...unreadable, ...runProblems(subject, fields, texts), ...runsProblems(runs)];
  // Problems are shown only after the first attempt to submit.
  const problems = attempt === 0 ? [] : found.length > 0 ? found : refused;

  const submit = async (form: HTMLFormElement): Promise<void> => {
    const halves = unreadableProblems(form, fields);
    setUnreadable(halves);
    setRefused([]);
    setAttempt((before) => before + 1);
    if (
      isSending ||
      !canWrite() ||
      halves.length + runProblems(subject, fields, texts).length + runsProblems(runs).length > 0
    )
      return;
    setSending(true);
    try {
      const { run_id } = await send<{ run_id: string }>('POST', address(['runs']), {
        ...subjectReference(subject),
        variables: sentValues(fields, texts),
        ...(runs.trim() !== '' && { runs: Number(runs) }),
      });
      go(link(['run', run_id]));
    } catch (error) {
      const refusal = refusalFrom(error);
      setSending(false);
      setRefused(refusal.formProblems());
      setAttempt((before) => before + 1);
      if (refusal.status === 401 || refusal.status === 403) void loadAbout().catch(() => undefined);
    }
  };

  const change = (next: Texts): void => {
    setTexts(next);
    setUnreadable([]);
    setRefused([]);
  };

  return { fields, texts, runs, problems, attempt, isSending, change, setRuns, submit };
}

export function StartForm(props: StartFormProps): VNode {
  const { subject } = props;
  const { fields, texts, runs, problems, attempt, isSending, change, setRuns, submit } = useStartForm(props);
  return (
    <form
      class="card start"
      noValidate
      aria-label="Start"
      onSubmit={(event) => {
        event.preventDefault();
        void submit(event.currentTarget);
      }}
    >
      <What subject={subject} />
      <ProblemSummary problems={problems} attempt={attempt} />
      {fields.length > 0 && (
        <fieldset>
          <legend>{subject.suite === undefined ? 'Variables' : 'Values of this run only'}</legend>
          <VariableFields
            fields={fields}
            texts={texts}
            problems={problems}
            isDisabled={isSending}
            change={change}
          />
        </fieldset>
      )}
      {fields.length === 0 && <p class="note">There are no variables to set.</p>}
      <RunsField
        subject={subject}
        text={runs}
        change={setRuns}
        problem={problems.find(({ name }) => name === RUNS)?.message}
      />
      <p>
        <button type="submit" class="primary" disabled={!canWrite() || isSending}>
          {isSending ? 'Starting …' : 'Start'}
        </button>
      </p>
    </form>
  );
}

function subjectReference({ suite, tests }: Subject): { suite: string } | { test: string } {
  return suite === undefined ? { test: tests[0]?.definition.id ?? '' } : { suite: suite.id };
}

function runsProblems(text: string): SentProblem[] {
  if (text.trim() === '' || (/^\d+$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= 1_000_000))
    return [];
  return [{ name: RUNS, message: 'The number of runs is a whole number from 1.' }];
}

function What({ subject: { suite, tests } }: { subject: Subject }): VNode {
  const description = suite === undefined ? tests[0]?.definition.description : suite.description;
  return (
    <>
      {description !== undefined && (
        <p>
          <Line text={description} />
        </p>
      )}
      {suite !== undefined && (
        <p class="prose">
          {plural(tests.length, 'test')}:{' '}
          {tests.map(({ definition: { id, name } }, at) => (
            <span key={id}>
              {at > 0 && ', '}
              <a href={link(['test'], { test: id })}>
                <Line text={name} limit={80} />
              </a>
            </span>
          ))}
        </p>
      )}
    </>
  );
}

function RunsField({
  subject: { suite, tests },
  text,
  problem,
  change,
}: {
  subject: Subject;
  text: string;
  problem: string | undefined;
  change(text: string): void;
}): VNode {
  const own = suite === undefined ? tests[0]?.definition.options?.runs : undefined;
  return (
    <div class={`field${problem === undefined ? '' : ' wrong'}`}>
      <label for="runs">Runs of each case</label>
      <input
        id="runs"
        type="text"
        inputMode="numeric"
        data-variable={RUNS}
        placeholder={own === undefined ? undefined : String(own)}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? 'runs-hint' : 'runs-problem runs-hint'}
        autocomplete="off"
        value={text}
        onInput={(event) => change(event.currentTarget.value)}
      />
      {problem !== undefined && (
        <p class="why" id="runs-problem">
          {problem}
        </p>
      )}
      <p class="note" id="runs-hint">
        {own === undefined ? 'Without a number, as tests and settings say.' : `test: ${String(own)}`}
      </p>
    </div>
  );
}
