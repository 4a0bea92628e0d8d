// The pages of docs/ from R to Z: their commands run, their links lead somewhere.

import { checkDocuments, HALVES } from '../support/documents.ts';

checkDocuments(HALVES.second);
