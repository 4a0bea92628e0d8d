// The shapes of case and context files for editors. A run checks them by hand: zod takes too long to load.

import { z } from 'zod';
import { assertionTypes } from '../../../judge/registry.ts';
import { COMPARISONS, MODES } from '../../../judge/trajectory.ts';

const text = z.string();
const name = z.string().min(1);
const record = z.record(z.string(), z.unknown());

const part = z
  .looseObject({
    type: name.describe('text, image, file …'),
    text: text.optional(),
    source: z.unknown().describe('A URL, or file:// and a path relative to the case file').optional(),
  })
  .refine((value) => value.type !== 'text' || value.text !== undefined, { error: 'a text part needs "text"' })
  .refine((value) => !('role' in value), { error: 'a part has no role' });

const message = z
  .looseObject({
    role: name.describe('user, assistant, system or tool'),
    content: z.union([text, z.array(part).min(1), z.null()]),
    tool_calls: z.array(z.unknown()).optional(),
  })
  .refine((value) => value.content !== null || value.tool_calls !== undefined, {
    error: 'only a message with tool calls may say nothing',
  });

const assertion = z.looseObject({
  type: z.enum(Object.keys(assertionTypes)),
  value: z.unknown().describe('Expected value or pattern').optional(),
  path: text.describe('JSONPath, for json_path').optional(),
  script: text.describe('scripts.<path>.<Function>, for script').optional(),
  name: name.describe('The tool, for tool_result').optional(),
  use: name.describe('agents:<id>, for agent').optional(),
  connector: name.describe('The built-in judge of agent, the embedding model of similar').optional(),
  threshold: z
    .number()
    .min(0)
    .max(1)
    .describe('The lowest score that passes, for agent and similar')
    .optional(),
  options: record.describe('For the agent that judges').optional(),
  mode: z.enum(MODES).describe('What the calls made are of those expected, for trajectory').optional(),
  arguments: z.enum(COMPARISONS).describe('How arguments are compared, for trajectory').optional(),
  message: text.describe('Shown when it fails').optional(),
  negate: z.boolean().describe('Turns the judgement round').optional(),
});

const assertions = z.union([assertion, z.array(assertion).min(1)]);
const input = z.union([text, message, part, z.array(message).min(1), z.array(part).min(1)]);

const simulator = z.strictObject({
  use: name.describe('The agent that plays the user: agents:<id>'),
  options: z
    .looseObject({
      connector: name.optional(),
      metadata: record.describe('persona, goal and whatever the simulator wants to know').optional(),
    })
    .optional(),
});

const checkpoint = z.strictObject({
  id: z.string().regex(/\S/),
  description: text.optional(),
  assert: assertions.describe('Reached when all of them hold for the answer of a turn'),
  after: z.array(text).describe('Checkpoints that must be reached before').optional(),
  required: z.boolean().describe('True unless said otherwise').optional(),
});

/** One object of a case file. */
export const caseSchema = z
  .strictObject({
    id: z.string().regex(/\S/).describe('Unique in its file'),
    input: input
      .describe('Text, a message, a conversation, or the content parts of one message; not needed with turns')
      .optional(),
    expected: z.unknown().describe('The exact answer; "assert" takes precedence').optional(),
    assert: assertions.describe('All of them must hold').optional(),
    description: text.optional(),
    tags: z.array(name).describe('For --tag').optional(),
    user: name.describe('User id; -u overrides it').optional(),
    team: name.describe('Team id; -t overrides it').optional(),
    metadata: record.describe('Reaches the agent as ctx.metadata').optional(),
    options: record.describe('Reaches the agent as options').optional(),
    skip: z.boolean().optional(),
    timeout: z
      .string()
      .regex(/^(?=.*[1-9])(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/)
      .describe('A duration: 500ms, 30s, 1h30m')
      .optional(),
    turns: z
      .array(z.strictObject({ input, assert: assertions.optional() }))
      .min(1)
      .describe('A conversation that is written down')
      .optional(),
    simulator: simulator.describe('A conversation with an agent that plays the user').optional(),
    checkpoints: z.array(checkpoint).min(1).describe('What the conversation has to reach').optional(),
    max_turns: z.int().min(1).max(1000).describe('20 unless said otherwise').optional(),
    before: name
      .describe('Function to call before: <module>.<Function> of the assistant, or scripts.…')
      .optional(),
    after: name.describe('Function to call after, whatever happened').optional(),
  })
  .refine((value) => value.input !== undefined || value.turns !== undefined, {
    error: 'a case needs "input" or "turns"',
  })
  .meta({ title: 'Assay test case' });

/** A `--ctx` file. */
export const contextSchema = z
  .strictObject({
    authorized: z
      .strictObject({
        sub: text.describe('Subject').optional(),
        client_id: text.optional(),
        scope: text.optional(),
        session_id: text.optional(),
        user_id: text.optional(),
        team_id: text.optional(),
        tenant_id: text.optional(),
        remember_me: z.boolean().optional(),
        constraints: z
          .strictObject({
            owner_only: z.boolean().optional(),
            creator_only: z.boolean().optional(),
            editor_only: z.boolean().optional(),
            team_only: z.boolean().optional(),
            extra: record.describe('Constraints of your own').optional(),
          })
          .optional(),
      })
      .optional(),
    metadata: record.optional(),
    client: z
      .strictObject({
        type: text.describe('web, mobile, test …').optional(),
        ip: text.optional(),
        user_agent: text.optional(),
      })
      .optional(),
    locale: text.describe('en-us, zh-cn …').optional(),
    referer: text.optional(),
    accept: text.optional(),
    chat_id: text.optional(),
  })
  .meta({ title: 'Assay test context' });

/** The files in `schemas/`, by name. */
export function publishedSchemas(): Record<string, unknown> {
  return {
    'case.schema.json': z.toJSONSchema(caseSchema),
    'context.schema.json': z.toJSONSchema(contextSchema),
  };
}
