import { tool } from '@langchain/core/tools';
import { MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { ToolNode, toolsCondition } from '@langchain/langgraph/prebuilt';
import { ChatOpenAI } from '@langchain/openai';
import { z } from 'zod';
import { forecast } from './forecast.ts';

const weather = tool(({ city }) => forecast(city), {
  name: 'weather',
  description: 'The weather in a city',
  schema: z.object({ city: z.string() }),
});
const configuration = { baseURL: process.env.MODEL_URL };
const model = new ChatOpenAI({ model: 'gpt-4o-mini', apiKey: 'local', maxRetries: 1, configuration });

export default new StateGraph(MessagesAnnotation)
  .addNode('model', async ({ messages }) => ({
    messages: [await model.bindTools([weather]).invoke([['system', 'You know the weather.'], ...messages])],
  }))
  .addNode('tools', new ToolNode([weather]))
  .addEdge(START, 'model')
  .addConditionalEdges('model', toolsCondition)
  .addEdge('tools', 'model')
  .compile();
