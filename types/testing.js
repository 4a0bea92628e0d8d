// The types of script tests are beside this file; at run time there is nothing to load.
export {};
