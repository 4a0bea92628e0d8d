// Two plain pictures (SVG) that read on light and on dark pages.

const GREY = '#7d8590';
const COLOURS = ['#2f81f7', '#e36209', '#2da44e', '#a371f7', '#d1242f'];

const text = (x, y, content, { anchor = 'start', fill = GREY } = {}) =>
  `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="${fill}">${content}</text>`;

function picture(width, height, title, parts) {
  const start = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img"`;
  const font = 'font-family="system-ui, sans-serif" font-size="13"';
  return `${start} aria-label="${title}" ${font}>\n${text(10, 20, title)}\n${parts.join('\n')}\n</svg>\n`;
}

/** Bars: any lower rate against Assay's verdict, for each design. */
export function drawFalseAlarms(rows) {
  const parts = rows.flatMap(({ name, ours, anyDrop }, at) => {
    const y = 45 + at * 48;
    const bar = (offset, share, fill) => {
      const width = Math.max(1, share * 400);
      return [
        `<rect x="140" y="${y + offset}" width="${width.toFixed(1)}" height="16" fill="${fill}"/>`,
        text(146 + width, y + offset + 13, `${(100 * share).toFixed(1)} %`),
      ];
    };
    return [text(10, y + 22, name), ...bar(0, anyDrop, COLOURS[1]), ...bar(18, ours, COLOURS[0])];
  });
  const bottom = 60 + rows.length * 48;
  parts.push(
    text(140, bottom, 'exit 1 for any lower rate', { fill: COLOURS[1] }),
    text(340, bottom, 'Assay', { fill: COLOURS[0] }),
  );
  return picture(620, bottom + 15, 'False alarms if nothing changed (typical suite)', parts);
}

/** Lines: the drop in points against the chance that it is seen. */
export function drawPower(curves) {
  const x = (points) => 50 + points * 24;
  const y = (share) => 290 - share * 240;
  const parts = [0, 0.25, 0.5, 0.75, 1].flatMap((share) => [
    `<line x1="50" x2="530" y1="${y(share)}" y2="${y(share)}" stroke="${GREY}" stroke-opacity="0.3"/>`,
    text(44, y(share) + 4, `${100 * share} %`, { anchor: 'end' }),
  ]);
  for (const points of [0, 5, 10, 15, 20]) parts.push(text(x(points), 310, points, { anchor: 'middle' }));
  parts.push(text(290, 332, 'true drop in points, 100 cases', { anchor: 'middle' }));
  for (const [at, [name, curve]] of Object.entries(curves).entries()) {
    const stroke = COLOURS[at];
    const path = curve.map(({ points, seen }) => `${x(points)},${y(seen).toFixed(1)}`).join(' ');
    parts.push(
      `<polyline points="${path}" fill="none" stroke="${stroke}" stroke-width="2"/>`,
      text(545, 60 + at * 20, `${name} runs`, { fill: stroke }),
    );
  }
  return picture(640, 345, 'Chance that a drop is seen (runs before → after)', parts);
}
