// Sets the assistant up for a new team. Nothing is exported: the tests beside it can still use it.

type Team = { id: number; name: string; limits?: Record<string, number> };

const LIMITS: Record<string, number> = { lodging: 180, meal: 40, travel: 500 };

/** True if expenses can be entered: there is a user, and a team that pays. */
function SystemReady(ctx: agent.Context): boolean {
  return Boolean(ctx.User?.ID) && Boolean(ctx.Team?.ID);
}

/** The rules of a team: its own limits over the usual ones. */
function Setup(ctx: agent.Context, team: Team) {
  if (!SystemReady(ctx)) throw new Error('nobody is logged in');
  const limits = { ...LIMITS, ...team.limits };
  const negative = Object.keys(limits).find((category) => (limits[category] ?? 0) < 0);
  if (negative !== undefined) return { id: team.id, error: `the limit for ${negative} is below zero` };
  return { id: team.id, name: team.name, approver: ctx.User.ID, limits };
}
