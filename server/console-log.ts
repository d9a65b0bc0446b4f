import 'server-only'
import { type Logger } from './logger'

/** The two of the console that tell of trouble. */
export type Console = Pick<typeof console, 'error' | 'warn'>

/**
 * What Next and libraries tell of trouble becomes lines of the log. They print errors whole, and addresses with what was
 * searched for: of both only what may be kept goes on. Answers what gives the console back.
 */
export function logConsole(logger: Pick<Logger, 'error' | 'warn'>, printed: Console = console): () => void {
  const before = { error: printed.error, warn: printed.warn }
  for (const level of ['error', 'warn'] as const) {
    printed[level] = (...told: unknown[]) => logger[level](detailsOf(told), messageOf(told))
  }
  return () => void Object.assign(printed, before)
}

const MOST_CHARACTERS = 300
const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g')
/** Behind `?` may stand whom somebody searched for, and behind a slash whose page it was. */
const ADDRESS = /(?:https?:\/\/|\/)[^\s'"]*/g

function messageOf(told: readonly unknown[]): string {
  const [first] = told.filter((part) => typeof part === 'string').map((text) => text.replace(COLOURS, '').trim())
  const mark = /^[^\p{L}\p{N}]*/u
  const text = told.some((part) => part instanceof Error) ? (first ?? '').split('\n')[0] : first
  return (text ?? '').replace(mark, '').replace(ADDRESS, '…').slice(0, MOST_CHARACTERS) || 'told by the console'
}

/** The digest of an error of drawing is what the person's screen shows of it. */
function detailsOf(told: readonly unknown[]): { err?: Error; digest?: string } {
  const err = told.find((part) => part instanceof Error)
  if (err === undefined) return {}
  const digest = 'digest' in err && typeof err.digest === 'string' ? { digest: err.digest } : {}
  return { err, ...digest }
}
