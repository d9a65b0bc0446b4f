import 'server-only'
import pino, { type Logger as PinoLogger } from 'pino'
import { type Outage, processOutage } from './outage'
import { causesOf, codeOf } from './errors'
import { currentRequest } from './request-context'
import type { Env } from './env'
import { oncePerProcess } from './once-per-process'

export type Logger = PinoLogger

/** No personal data: ids, counts, codes and durations only. Lines of a request have its id. */
export function createLogger(
  env: Pick<Env, 'logLevel'> & Partial<Pick<Env, 'logFormat'>>,
  destination?: pino.DestinationStream,
  outage = processOutage(),
): Logger {
  const options = {
    level: env.logLevel,
    base: null,
    serializers: { err: describeError },
    mixin: requestOfLine,
    hooks: limitOutageLines(outage),
  }
  if (destination) return pino(options, destination)
  const isText = env.logFormat === 'text'
  const out = pino.destination({ dest: logOutput().fd, sync: isText })
  return pino(options, isText ? forPeople(out) : out)
}

/** A command's standard output is its answer: there the log goes to standard error. */
export const logOutput = oncePerProcess('log-output', () => ({ fd: 1 }))

function requestOfLine(): { requestId?: string } {
  const request = currentRequest()
  return request === null ? {} : { requestId: request.id }
}

function forPeople(out: pino.DestinationStream): pino.DestinationStream {
  return { write: (line) => void out.write(readableLine(line)) }
}

/** While the database is away everything fails: one line a minute counts it. */
function limitOutageLines(outage: Outage): {
  logMethod: (this: PinoLogger, args: Parameters<pino.LogFn>, method: pino.LogFn) => void
} {
  return {
    logMethod(args, method) {
      const [first] = args as unknown[]
      const err = typeof first === 'object' && first !== null && 'err' in first ? first.err : null
      const outageLine = outage.onError(err)
      if (outageLine === null) return method.apply(this, args)
      if (outageLine.line !== null)
        method.apply(this, [outageLine.line, 'the database cannot be used; nothing can be saved'])
    },
  }
}

/** Database errors quote the query's parameters (e-mail addresses among them): only kind, code and place remain. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error }
  const root = causesOf(error).at(-1) ?? error
  const code = codeOf(root)
  const quotesData = root !== error || error.name === 'DrizzleQueryError' || code !== ''
  return {
    type: root.name,
    ...(code !== '' && { code }),
    ...(quotesData ? {} : { message: root.message }),
    at: framesOf(root),
  }
}

function framesOf(error: Error): string[] {
  const lines = (error.stack ?? '').split('\n')
  return lines.filter((line) => /^\s+at /.test(line)).map((line) => line.trim())
}

export function readableLine(json: string): string {
  const { level, time, msg = '', err, ...rest } = JSON.parse(json) as Record<string, unknown>
  const at = new Date(Number(time)).toTimeString().slice(0, 8)
  const figures = Object.entries(rest).map(([name, value]) => `${name}=${textOf(value)}`)
  const head = [at, (pino.levels.labels[Number(level)] ?? '').padEnd(5), String(msg), ...figures].join(' ')
  return `${[head, ...errorLines(err)].join('\n')}\n`
}

function errorLines(err: unknown): string[] {
  if (typeof err !== 'object' || err === null) return []
  const { at, ...what } = err as Record<string, unknown>
  const words = Object.values(what).map(textOf).join(' ')
  return [`  ${words}`, ...(Array.isArray(at) ? at.map((frame) => `    ${String(frame)}`) : [])]
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

type Console = Pick<typeof console, 'error' | 'warn'>

/** Next and libraries print errors whole, and addresses with searches. */
export function logConsole(logger: Pick<Logger, 'error' | 'warn'>, printed: Console = console): void {
  for (const level of ['error', 'warn'] as const) {
    printed[level] = (...parts: unknown[]) => logger[level](detailsOf(parts), messageOf(parts))
  }
}

const MAX_CHARACTERS = 300
const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g')
/** May hold a search, or whose page it was. */
const ADDRESS = /(?:https?:\/\/|\/)[^\s'"]*/g

function messageOf(parts: readonly unknown[]): string {
  const [first] = parts.filter((part) => typeof part === 'string').map((text) => text.replace(COLOURS, '').trim())
  const mark = /^[^\p{L}\p{N}]*/u
  const text = parts.some((part) => part instanceof Error) ? (first ?? '').split('\n')[0] : first
  return (text ?? '').replace(mark, '').replace(ADDRESS, '…').slice(0, MAX_CHARACTERS) || 'printed to the console'
}

function detailsOf(parts: readonly unknown[]): { err?: Error; digest?: string } {
  const err = parts.find((part) => part instanceof Error)
  if (err === undefined) return {}
  const digest = 'digest' in err && typeof err.digest === 'string' ? { digest: err.digest } : {}
  return { err, ...digest }
}
