// Called around a case that asks for it with "before" and "after".

type Context = { ChatID: string };

function Before(_ctx: Context, testCase: { id: string }) {
  return { basket: `basket-of-${testCase.id}` };
}

function After(_ctx: Context, _testCase: unknown, result: { status: string }, data: { basket: string }) {
  console.log(`${data.basket} is removed; the case ${result.status}`);
}
