import compile from 'icu-minify/compile'

/**
 * The same messages as next-intl's own build step would leave them in: parsed, so that the browser is spared the parser
 * (9 kB). The type stays that of the texts, for it is from them that each message's arguments are known.
 */
export function compileMessages<Messages extends object>(messages: Messages): Messages {
  return Object.fromEntries(Object.entries(messages).map(([key, message]) => [key, compiled(message)])) as Messages
}

/** A plain copy, since what the compiler makes is without prototype and so cannot be sent to the browser. */
function compiled(message: unknown): unknown {
  if (typeof message === 'string') return structuredClone(compile(message))
  return typeof message === 'object' && message !== null ? compileMessages(message) : message
}
