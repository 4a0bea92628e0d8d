// Who is asking, from where: the context an agent is called with, as plain data.

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
  referer: string;
  accept: string;
  /** What the variables of the test came to, as in JSON; user code sees dates as such. */
  variables?: Record<string, unknown>;
  /** Those of them that are dates. */
  dates?: string[];
};

/** What a `--ctx` file may say. */
export type ContextFile = {
  authorized?: Authorized;
  metadata?: Record<string, unknown>;
  client?: { type?: string; ip?: string; user_agent?: string };
  locale?: string;
  referer?: string;
  accept?: string;
  chat_id?: string;
};

/** The chat that an attempt belongs to unless somebody says otherwise. */
export function defaultChatId(key: string): string {
  return `test-${key}`;
}
