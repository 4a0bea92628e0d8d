// Where agents run, and where their answers are judged.

/**
 * How a run is less isolated than usual, as its log says it. `none`: the agent ran in the process that judged it, so that it
 * could change verdicts and nothing contained it. `verdicts`: the agent is a function of the program that started the run and ran
 * there, so that nothing contained it; another process judged its answers.
 */
export type LoggedIsolation = 'none' | 'verdicts';

export const ISOLATIONS = ['none', 'verdicts'] as const satisfies LoggedIsolation[];
