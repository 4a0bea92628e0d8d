// The context of a call to an agent as plain data: user, client, locale.

export type Authorized = {
  sub?: string;
  client_id?: string;
  scope?: string;
  session_id?: string;
  user_id?: string;
  team_id?: string;
  tenant_id?: string;
  remember_me?: boolean;
  constraints?: {
    owner_only?: boolean;
    creator_only?: boolean;
    editor_only?: boolean;
    team_only?: boolean;
    extra?: Record<string, unknown>;
  };
};

/** The context of one attempt. A `--ctx` file has the same fields, all optional. */
export type ContextData = {
  chat_id: string;
  assistant_id: string;
  authorized: Authorized;
  metadata: Record<string, unknown>;
  client: { type: string; ip: string; user_agent?: string };
  locale: string;
  theme?: string;
  route?: string;
  referer: string;
  accept: string;
  /** The resolved variables of the test as JSON; user code gets dates as Date. */
  variables?: Record<string, unknown>;
  /** The names of the variables that are dates. */
  dates?: string[];
};

/** The content of a `--ctx` file. */
export type ContextFile = {
  authorized?: Authorized;
  metadata?: Record<string, unknown>;
  client?: { type?: string; ip?: string; user_agent?: string };
  locale?: string;
  theme?: string;
  route?: string;
  referer?: string;
  accept?: string;
  chat_id?: string;
};

/** The default chat id of an attempt. */
export function defaultChatId(key: string): string {
  return `test-${key}`;
}
