// The types of script tests are beside this file; at run time there is nothing to load.
// oxlint-disable-next-line unicorn/require-module-specifiers
export {};
