// A run whose every text tries to become markup, and what to look for on pages that show it.

import type { Page } from 'playwright-core';
import type { RunEvent } from '../../src/model/event.ts';
import { resultEvent, startEvent, summaryEvent } from '../fixtures/logs/agent-log.ts';

const HOSTILE = [
  '</script><script>document.title="owned"</script>',
  '<img src=x onerror="document.title=\'owned\'">',
  '<a href="javascript:document.title=1">javascript:alert(1)</a>',
  '<style>*{display:none}</style><iframe src="https://example.com"></iframe>',
  '<svg onload=alert(1)>',
  '\u001b[31mred\u001b[0m \u001b]8;;http://evil\u0007',
  'null\u0000byte \u202eright-to-left\u202c \ud800 lone',
  '{{constructor.constructor("alert(1)")()}} ${alert(1)}',
  '![x](https://evil.example/x.png) [x](https://evil.example/)',
  '=cmd|calc!A1',
].join('\n');

export function hostileRun(): RunEvent[] {
  return [
    startEvent({
      agent_id: HOSTILE,
      connector: HOSTILE,
      suite: HOSTILE,
      runs_per_case: 2,
      total_cases: 2,
      cwd: HOSTILE,
      matrix: { [HOSTILE]: [HOSTILE, 'b'] },
      resolved_variables: { values: { [HOSTILE]: HOSTILE }, sources: { [HOSTILE]: HOSTILE } },
    }),
    ...[1, 2].map((run) =>
      resultEvent(HOSTILE, {
        run,
        test_id: HOSTILE,
        status: 'failed',
        input: HOSTILE,
        output: { [HOSTILE]: HOSTILE },
        expected: HOSTILE,
        description: HOSTILE,
        tags: [HOSTILE],
        variables: { [HOSTILE]: HOSTILE },
        error: HOSTILE,
        stack: HOSTILE,
        logs: [HOSTILE],
        messages: [{ role: HOSTILE, content: HOSTILE, [HOSTILE]: HOSTILE }],
        tool_calls: [{ name: HOSTILE, arguments: HOSTILE, error: HOSTILE, result: HOSTILE }],
        verdicts: [
          { type: HOSTILE, status: 'failed', message: HOSTILE, expected: HOSTILE, actual: 'x', at: HOSTILE },
          { type: 'agent', status: 'failed', reason: HOSTILE, diff: `- ${HOSTILE}` },
        ],
        subtests: [{ name: HOSTILE, status: 'failed', duration_ms: 1, error: HOSTILE }],
        checkpoints: [{ id: HOSTILE, required: true, reached: false }],
      }),
    ),
    resultEvent('later', { status: 'skipped', reason: 'skip', skip_message: HOSTILE }),
    summaryEvent({ exit_code: 1, runs_per_case: 2 }),
  ];
}

// The point of it is to name control characters.
// oxlint-disable-next-line no-control-regex
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Elements that only markup of an answer could have brought: the app has none of these. */
const FOREIGN =
  'img, iframe, object, embed, link, a[href^="javascript"], a[target], form[action], svg[onload]';

/** What markup of an answer could have left on a page. */
export async function lookAt(
  page: Page,
): Promise<{ foreign: number; scripts: string[]; title: string; hidden: string[] }> {
  const text = await page.locator('#app').innerText();
  return {
    foreign: await page.locator(FOREIGN).count(),
    scripts: await page.evaluate(() =>
      [...new Set([...document.querySelectorAll('script')].map(({ type }) => type))].toSorted((a, b) =>
        a < b ? -1 : 1,
      ),
    ),
    title: await page.title(),
    // Nothing that cannot be seen, colours or reorders is left in what is shown.
    hidden: [...new Set(text.match(UNSEEN) ?? [])],
  };
}
