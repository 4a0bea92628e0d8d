import { aiSdkObject, aiSdkObjectStream, aiSdkText, aiSdkTextStream } from './ai-sdk-result.ts';
import type { AnswerFormat } from './answer-format.ts';
import { anthropicMessage, anthropicStream } from './anthropic-message.ts';
import { googleContent } from './google-content.ts';
import { langChainMessage, langChainState } from './langchain-messages.ts';
import { openAiChat, openAiChatRunner } from './openai-chat.ts';
import { openAiResponse, openAiResponseStream } from './openai-response.ts';
import { stream } from './read-stream.ts';
import { webResponse } from './web-response.ts';

/** Everything a function may return besides plain JSON. Helpers of SDKs that are streams, too, come before `stream`. */
export const FORMATS: Record<string, AnswerFormat> = {
  aiSdkObject,
  aiSdkObjectStream,
  aiSdkText,
  aiSdkTextStream,
  anthropicMessage,
  anthropicStream,
  googleContent,
  langChainMessage,
  langChainState,
  openAiChat,
  openAiChatRunner,
  openAiResponse,
  openAiResponseStream,
  stream,
  webResponse,
};
