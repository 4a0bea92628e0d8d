import { ChatOpenAI } from '@langchain/openai';
import { createAgent, tool } from 'langchain';
import { z } from 'zod';
import { forecast } from './forecast.ts';

const weather = tool(({ city }) => forecast(city), {
  name: 'weather',
  description: 'The weather in a city',
  schema: z.object({ city: z.string() }),
});
const configuration = { baseURL: process.env.MODEL_URL };
const model = new ChatOpenAI({ model: 'gpt-4o-mini', apiKey: 'local', maxRetries: 1, configuration });

export default createAgent({ model, systemPrompt: 'You know the weather.', tools: [weather] });
