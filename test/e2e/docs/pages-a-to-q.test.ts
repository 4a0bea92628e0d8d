// README.md and the pages of docs/ from A to Q: their commands run, their links lead somewhere.

import { checkDocuments, HALVES } from '../support/documents.ts';

checkDocuments(HALVES.first);
