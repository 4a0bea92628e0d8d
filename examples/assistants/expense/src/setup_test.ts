// Tests without an import: SystemReady and Setup are those of setup.ts.

function TestSystemReady(t: testing.T, ctx: agent.Context) {
  const { assert } = t;
  assert.True(SystemReady(ctx), 'SystemReady should return true');
}

function TestSystemReadyWithoutUser(t: testing.T, ctx: agent.Context) {
  const { assert } = t;
  ctx.User = null;
  assert.False(SystemReady(ctx), 'SystemReady should return false when there is no user');
}

// A helper: its name does not start with Test.
function aTeam(limits: Record<string, number> = {}) {
  return { id: 1, name: 'Sales', limits };
}

function TestSetupKeepsTheTeam(t: testing.T, ctx: agent.Context) {
  const { assert } = t;
  const result = Setup(ctx, aTeam());
  assert.NotNil(result, 'Setup should return a result');
  assert.Equal(result.id, 1, 'Result ID should match');
  assert.Equal(result.approver, ctx.User.ID, 'The user should approve');
}

function TestSetupPrefersTheLimitsOfTheTeam(t: testing.T, ctx: agent.Context) {
  const { assert } = t;
  const result = Setup(ctx, aTeam({ meal: 25 }));
  assert.JSONPath(result, '$.limits.meal', 25);
  assert.JSONPath(result, '$.limits.travel', LIMITS.travel);
}

function TestSetupRefusesNegativeLimits(t: testing.T, ctx: agent.Context) {
  const { assert } = t;
  const result = Setup(ctx, aTeam({ meal: -1 }));
  assert.Error(result.error, 'Setup should return an error');
  assert.Match(result.error, /meal/);
}

function TestSetupNeedsAUser(t: testing.T, ctx: agent.Context) {
  const { assert } = t;
  ctx.User = null;
  assert.Panic(() => Setup(ctx, aTeam()), 'Setup should throw when there is no user');
}
