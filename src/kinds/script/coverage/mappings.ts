// Decodes the mappings of a source map into numbers by line, and encodes them again.

/** Column in the code, then index, line and column of the source, and index of the name; may have only the column. */
export type Segment = number[];

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** The segments of every line, with absolute numbers. */
export function decodeMappings(mappings: string): Segment[][] {
  const last = [0, 0, 0, 0, 0];
  return mappings.split(';').map((line) => {
    last[0] = 0;
    return line === '' ? [] : line.split(',').map((text) => decodeSegment(text, last));
  });
}

/** Encodes segments, which must be sorted by column in each line. */
export function encodeMappings(lines: readonly Segment[][]): string {
  const last = [0, 0, 0, 0, 0];
  return lines
    .map((segments) => {
      last[0] = 0;
      return segments.map((segment) => encodeSegment(segment, last)).join(',');
    })
    .join(';');
}

/** Decodes base64 VLQ: each number is the difference to the one in `last`, five bits per digit, lowest bit is the sign. */
function decodeSegment(text: string, last: number[]): Segment {
  const segment: Segment = [];
  let value = 0;
  let shift = 0;
  for (const digit of text) {
    const bits = DIGITS.indexOf(digit);
    value += (bits & 31) << shift;
    shift += 5;
    if (bits >= 32) continue;
    const difference = value & 1 ? -(value >> 1) : value >> 1;
    const absolute = (last[segment.length] ?? 0) + difference;
    last[segment.length] = absolute;
    segment.push(absolute);
    value = 0;
    shift = 0;
  }
  return segment;
}

function encodeSegment(segment: Segment, last: number[]): string {
  return segment
    .map((absolute, index) => {
      const difference = absolute - (last[index] ?? 0);
      last[index] = absolute;
      return encodeNumber(difference < 0 ? (-difference << 1) | 1 : difference << 1);
    })
    .join('');
}

function encodeNumber(value: number): string {
  const rest = value >> 5;
  const digit = DIGITS.charAt((value & 31) + (rest > 0 ? 32 : 0));
  return rest > 0 ? digit + encodeNumber(rest) : digit;
}
