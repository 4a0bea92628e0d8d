// Signs lines that user code can write as well.

/**
 * A hash of the text and a token that only the two processes of a channel know. It tells their lines from those of user code, but
 * is no cryptography: code that reads the memory of its process can sign, too.
 */
export function sign(text: string, token: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  const signed = `${token}${text}${token}`;
  for (let index = 0; index < signed.length; index++) {
    const code = signed.charCodeAt(index);
    high = Math.imul(high ^ code, 2_654_435_761);
    low = Math.imul(low ^ code, 1_597_334_677);
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  return (high >>> 0).toString(36) + (low >>> 0).toString(36);
}
