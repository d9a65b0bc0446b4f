import 'server-only'

const SOCKET = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EPIPE', 'EHOSTUNREACH'])
/** PostgreSQL, appendix A: 08 connection exception, 53 insufficient resources, 57P operator intervention. */
const SQLSTATE = /^(08|53|57P)/
/** `pg` gives these no code. */
const MESSAGE = /timeout exceeded when trying to connect|connection terminated|query read timeout|closed|not queryable/i

/** Whether an error says that the database cannot be reached now, rather than that a query was wrong. */
export function isDatabaseUnreachable(error: unknown): boolean {
  for (let current = error, depth = 0; current instanceof Error && depth < 5; current = current.cause, depth += 1) {
    const code = 'code' in current && typeof current.code === 'string' ? current.code : ''
    if (SOCKET.has(code) || SQLSTATE.test(code)) return true
    if (code === '' && current.name !== 'DrizzleQueryError' && MESSAGE.test(current.message)) return true
    if (current instanceof AggregateError && current.errors.some(isDatabaseUnreachable)) return true
  }
  return false
}
