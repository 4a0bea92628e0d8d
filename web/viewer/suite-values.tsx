// The form for the values in a suite's file, which apply to all further runs.

import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Line } from '../ui/text.tsx';
import { canWrite } from './about.ts';
import type { ListedSuite } from './answers.ts';
import type { SentProblem } from './api.ts';
import { address, send } from './api.ts';
import type { Texts } from './fields.ts';
import { buildFields } from './fields.ts';
import { changedValues, suiteProblems, suiteTexts } from './form-values.ts';
import { NoToken } from './no-token.tsx';
import type { Subject } from './subject.ts';
import { refusalFrom } from './use-answer.ts';
import { ProblemSummary, unreadableProblems, VariableFields } from './variable-form.tsx';

type Saved = { state: 'idle' } | { state: 'saved' } | { state: 'saving' } | { state: 'outdated' };
type SuiteValuesProps = { subject: Subject; suite: ListedSuite; reload(): void };

/** The state of the form and its actions. */
function useSuiteForm({ subject, suite, reload }: SuiteValuesProps) {
  const inFile = { sha256: suite.sha256, texts: suiteTexts(subject) };
  // Edits belong to the version of the file that was loaded.
  const [base, setBase] = useState(inFile);
  const [texts, setTexts] = useState(base.texts);
  const [saved, setSaved] = useState<Saved>({ state: 'idle' });
  const [attempt, setAttempt] = useState(0);
  const [refused, setRefused] = useState<readonly SentProblem[]>([]);
  const fields = buildFields(subject, texts, 'suite');
  const changes = changedValues(fields, base.texts, texts);
  const isChanged = Object.keys(changes).length > 0;
  const found = suiteProblems(subject, fields, texts);
  const problems = attempt === 0 ? [] : found.length > 0 ? found : refused;

  // Untouched fields follow the file.
  useEffect(() => {
    if (suite.sha256 === base.sha256) return;
    if (isChanged) return setSaved({ state: 'outdated' });
    setBase(inFile);
    setTexts(inFile.texts);
  }, [suite.sha256]);

  const change = (next: Texts): void => {
    setTexts(next);
    setSaved(saved.state === 'outdated' ? saved : { state: 'idle' });
    setRefused([]);
  };

  const renew = (): void => {
    setBase(inFile);
    setTexts(inFile.texts);
    setSaved({ state: 'idle' });
    setAttempt(0);
    reload();
  };

  const save = async (form: HTMLFormElement): Promise<void> => {
    const halves = unreadableProblems(form, fields);
    setRefused(halves);
    setAttempt((before) => before + 1);
    if (found.length + halves.length > 0 || saved.state === 'saving' || !canWrite()) return;
    setSaved({ state: 'saving' });
    try {
      const url = address(['suites', suite.id, 'variables']);
      const body = { variables: changes, sha256: base.sha256 };
      const { sha256 } = await send<{ sha256: string }>('PUT', url, body);
      setBase({ sha256, texts });
      setSaved({ state: 'saved' });
      setAttempt(0);
    } catch (error) {
      const refusal = refusalFrom(error);
      setSaved({ state: refusal.status === 409 ? 'outdated' : 'idle' });
      if (refusal.status !== 409) setRefused(refusal.formProblems());
      setAttempt((before) => before + 1);
    }
    reload();
  };

  return { fields, texts, problems, attempt, isChanged, state: saved.state, change, renew, save };
}

export function SuiteValues(props: SuiteValuesProps): VNode | null {
  const { suite } = props;
  const { fields, texts, problems, attempt, isChanged, state, change, renew, save } = useSuiteForm(props);
  if (fields.length === 0) return null;
  const isDisabled = !suite.is_editable || !canWrite() || state === 'saving';
  return (
    <form
      class="card start"
      noValidate
      aria-label="Values of the suite"
      onSubmit={(event) => {
        event.preventDefault();
        void save(event.currentTarget);
      }}
    >
      <ProblemSummary problems={problems} attempt={attempt} />
      <fieldset>
        <legend>Values of the suite, for all of its runs</legend>
        <VariableFields
          fields={fields}
          texts={texts}
          problems={problems}
          isDisabled={isDisabled}
          change={change}
        />
      </fieldset>
      {state === 'outdated' && (
        <div class="banner warn" role="alert">
          The file has changed meanwhile.{' '}
          <button type="button" onClick={renew}>
            Reload
          </button>
        </div>
      )}
      <p>
        <button type="submit" disabled={isDisabled || !isChanged || state === 'outdated'}>
          Save to <Line text={suite.file} limit={100} />
        </button>{' '}
        <span role="status" class="note">
          {state === 'saved' && !isChanged && 'Saved.'}
          {isChanged && 'Not saved yet: a run takes what is in the file.'}
        </span>
      </p>
      {!canWrite() && (
        <p class="note">
          <NoToken purpose="change it" />
        </p>
      )}
      {!suite.is_editable && <p class="note">This file cannot be changed from here.</p>}
    </form>
  );
}
