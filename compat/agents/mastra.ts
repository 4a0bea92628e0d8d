import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { z } from 'zod';
import { forecast } from './forecast.ts';

const provider = createOpenAICompatible({ name: 'local', baseURL: process.env.MODEL_URL ?? '' });

export default new Agent({
  id: 'weather',
  name: 'Weather',
  model: provider('gpt-4o-mini'),
  instructions: 'You know the weather.',
  tools: {
    weather: createTool({
      id: 'weather',
      description: 'The weather in a city',
      inputSchema: z.object({ city: z.string() }),
      execute: ({ city }) => forecast(city),
    }),
  },
});
