// `assay __evaluate`: the process of a run that a program asked for with `evaluate`.

export { serveRun } from '../../evaluate/serve-run.ts';
