import type { Transcript } from '../../model/agent.ts';
import type { Fields } from '../frameworks/framework.ts';
import type { Exchange } from './exchange.ts';

/** A kind of value that a function may return. No SDK is imported: values are recognised by their shape. */
export type AnswerFormat = {
  /** True only for values of this format. Does not read fields whose getters have effects. */
  matches(value: Fields): boolean;
  /** Reads the value to its end. Errors of the SDK are thrown unchanged. */
  read(value: Fields, exchange: Exchange): Transcript | Promise<Transcript>;
};
