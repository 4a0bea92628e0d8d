// The second half of the documentation.

import { checkDocuments, HALVES } from './documents.ts';

checkDocuments(HALVES.second);
