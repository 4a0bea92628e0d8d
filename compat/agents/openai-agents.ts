import { Agent, OpenAIChatCompletionsModel, tool } from '@openai/agents';
import OpenAI from 'openai';
import { z } from 'zod';
import { forecast } from './forecast.ts';

const client = new OpenAI({ apiKey: 'local', baseURL: process.env.MODEL_URL });

export default new Agent({
  name: 'Weather',
  model: new OpenAIChatCompletionsModel(client, 'gpt-4o-mini'),
  instructions: 'You know the weather.',
  tools: [
    tool({
      name: 'weather',
      description: 'The weather in a city',
      parameters: z.object({ city: z.string() }),
      execute: ({ city }) => forecast(city),
    }),
  ],
});
