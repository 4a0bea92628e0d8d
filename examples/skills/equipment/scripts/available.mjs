// Which tools are free on a day: `node available.mjs 2026-03-02`, or the next free day of one: `--next "laser cutter" 2026-03-02`.

const BOOKINGS = [
  { tool: 'laser cutter', day: '2026-03-02' },
  { tool: 'laser cutter', day: '2026-03-03' },
  { tool: 'lathe', day: '2026-03-03' },
];
const TOOLS = ['laser cutter', 'lathe', 'plotter'];

/** The tools that nobody has booked for a day. */
export function availableOn(day) {
  return TOOLS.filter((tool) => !BOOKINGS.some((booking) => booking.tool === tool && booking.day === day));
}

/** The first day from `day` on that a tool is free. */
export function nextFreeDay(tool, day) {
  if (!TOOLS.includes(tool)) throw new RangeError(`there is no ${tool}`);
  const date = new Date(`${day}T00:00:00Z`);
  while (!availableOn(isoDay(date)).includes(tool)) date.setUTCDate(date.getUTCDate() + 1);
  return isoDay(date);
}

function isoDay(date) {
  return date.toISOString().slice(0, 10);
}

if (process.argv[1] === import.meta.filename) {
  const [first, second, third] = process.argv.slice(2);
  console.log(first === '--next' ? nextFreeDay(second, third) : availableOn(first).join('\n'));
}
