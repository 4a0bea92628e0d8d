// Verbs that consist of verbs, and how `--help` describes them.

/** Verbs that consist of verbs. `assay tapes` alone is `assay tapes list`; `assay plan` alone shows its help. */
export const GROUPS: { [name: string]: { description: string; examples: string; standard?: string } } = {
  baseline: {
    description: 'name runs that others are compared with',
    examples: `
Examples:
  assay baseline set latest                      the last run is the baseline "default"
  assay baseline set 01939f0a main               a name of your own
  assay baseline                                 all names
  assay baseline show branch:main                which runs a name or a branch stands for
`,
    standard: 'list',
  },
  convert: {
    description: 'write cases, agents and connectors from the configuration of another tool',
    examples: `
Examples:
  assay convert promptfoo promptfooconfig.yaml           into the folder assay beside it
  assay convert promptfoo promptfooconfig.yaml -o tests  into another folder
`,
  },
  plan: {
    description: 'what a run would cost and show, before anything is spent',
    examples: `
Examples:
  assay plan test -i cases.jsonl --runs 3        attempts, cost, time, and the drop it could show
  assay plan test -i cases.jsonl --against main --margin 3
  assay plan run 'greet*' tag:smoke --json       for programs
  assay plan suite nightly --parallel 8          a suite

Put "plan" before the words of assay test, assay run or assay suite. Nothing is executed.
`,
  },
  tapes: {
    description: 'list, prune or compare recordings',
    examples: `
Examples:
  assay test -i cases.jsonl --record tapes       record once
  assay test -i cases.jsonl --replay tapes       replay as often as you like
  assay tapes tapes                              what is recorded
  assay tapes prune tapes                        remove what the last replay did not use
  assay tapes diff tapes tonight                 what has changed since
`,
    standard: 'list',
  },
};
