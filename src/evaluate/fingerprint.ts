import { createHash } from 'node:crypto';

/** A hash of the source of a function; of other agents only the class is known. */
export function fingerprint(agent: object): string {
  const source =
    typeof agent === 'function' ? Function.prototype.toString.call(agent) : agent.constructor.name;
  return createHash('sha256').update(source).digest('hex');
}
