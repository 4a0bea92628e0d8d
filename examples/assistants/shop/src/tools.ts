// The tools of the shop. They need not be exported.

const ORDERS: Record<string, { state: string; arrives: string; price: number }> = {
  'A-1001': { state: 'shipped', arrives: '2026-12-02', price: 49 },
  'A-1002': { state: 'delivered', arrives: '2026-11-10', price: 120 },
};

function FindOrder(order: string) {
  const found = ORDERS[order];
  if (found === undefined) throw new Error(`there is no order ${order}`);
  return { order, state: found.state, arrives: found.arrives };
}

function Refund({ order }: { order: string }) {
  const found = ORDERS[order];
  if (found === undefined) throw new Error(`there is no order ${order}`);
  return { order, amount: found.price };
}
