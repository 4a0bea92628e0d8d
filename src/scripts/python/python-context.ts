import type { ContextData } from '../../model/context.ts';

/** The context that Python code gets: the data of `ctx`, with the ids of the user and the team beside it. */
export function pythonContext(context: ContextData): Record<string, unknown> {
  const { authorized } = context;
  const { user_id = '', team_id = '' } = authorized;
  return { user_id, team_id, theme: '', route: '', variables: {}, ...context };
}
