import { readFileSync } from 'node:fs';

const { input } = JSON.parse(readFileSync(0, 'utf8'));
const words = input.split(/\s+/).filter((word) => word !== '');
console.error(`counted ${words.length} words`);
console.log(JSON.stringify({ output: { words: words.length, characters: [...input].length } }));
