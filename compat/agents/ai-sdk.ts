import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { ToolLoopAgent, tool } from 'ai';
import { z } from 'zod';
import { forecast } from './forecast.ts';

const provider = createOpenAICompatible({ name: 'local', baseURL: process.env.MODEL_URL ?? '' });

export default new ToolLoopAgent({
  model: provider('gpt-4o-mini'),
  instructions: 'You know the weather.',
  tools: {
    weather: tool({
      description: 'The weather in a city',
      inputSchema: z.object({ city: z.string() }),
      execute: ({ city }) => forecast(city),
    }),
  },
});
