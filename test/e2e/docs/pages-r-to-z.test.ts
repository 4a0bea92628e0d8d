// The second half of the documentation.

import { checkDocuments, HALVES } from '../support/documents.ts';

checkDocuments(HALVES.second);
