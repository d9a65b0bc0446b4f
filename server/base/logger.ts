import 'server-only'
import pino, { type Logger as PinoLogger } from 'pino'
import { processOutage } from './database-outage'
import { listCauses, codeOf } from './errors'
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
  const options: pino.LoggerOptions = {
    level: env.logLevel,
    base: null,
    serializers: { err: describeError },
    mixin: () => {
      const request = currentRequest()
      return request === null ? {} : { requestId: request.id }
    },
    hooks: {
      // While the database is away everything fails: one line a minute counts it.
      logMethod(args, method) {
        const [first] = args as unknown[]
        const err = typeof first === 'object' && first !== null && 'err' in first ? first.err : null
        const outageLine = outage.recordError(err)
        if (outageLine === null) return method.apply(this, args)
        if (outageLine.line !== null)
          method.apply(this, [outageLine.line, 'the database cannot be used; nothing can be saved'])
      },
    },
  }
  if (destination) return pino(options, destination)
  const isText = env.logFormat === 'text'
  const out = pino.destination({ dest: logOutput().fd, sync: isText })
  return pino(options, isText ? { write: (line) => void out.write(formatLogLine(line)) } : out)
}

/** A command's standard output is its answer: there the log goes to standard error. */
export const logOutput = oncePerProcess('log-output', () => ({ fd: 1 }))

/** Database errors quote the query's parameters (e-mail addresses among them): only kind, code and place remain. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error }
  const root = listCauses(error).at(-1) ?? error
  const code = codeOf(root)
  const quotesData = root !== error || error.name === 'DrizzleQueryError' || code !== ''
  return {
    type: root.name,
    ...(code !== '' && { code }),
    ...(quotesData ? {} : { message: root.message }),
    at: (root.stack?.match(/^ +at .*$/gm) ?? []).map((line) => line.trim()),
  }
}

export function formatLogLine(json: string): string {
  const { level, time, msg = '', err, ...rest } = JSON.parse(json) as Record<string, unknown>
  const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
  const at = new Date(Number(time)).toTimeString().slice(0, 8)
  const figures = Object.entries(rest).map(([name, value]) => `${name}=${textOf(value)}`)
  const lines = [[at, (pino.levels.labels[Number(level)] ?? '').padEnd(5), String(msg), ...figures].join(' ')]
  if (typeof err === 'object' && err !== null) {
    const { at: frames, ...what } = err as Record<string, unknown>
    lines.push(`  ${Object.values(what).map(textOf).join(' ')}`)
    if (Array.isArray(frames)) lines.push(...frames.map((frame) => `    ${String(frame)}`))
  }
  return `${lines.join('\n')}\n`
}

const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g')
/** May hold a search, or whose page it was. */
const ADDRESS = /(?:https?:\/\/|\/)[^\s'"]*/g

/** Next and libraries print errors whole, and addresses with searches. */
export function redirectConsole(
  logger: Pick<Logger, 'error' | 'warn'>,
  printed: Pick<typeof console, 'error' | 'warn'> = console,
): void {
  for (const level of ['error', 'warn'] as const) {
    printed[level] = (...parts: unknown[]) => {
      const err = parts.find((part) => part instanceof Error)
      const digest = err && 'digest' in err && typeof err.digest === 'string' ? { digest: err.digest } : {}
      const [first = ''] = parts
        .filter((part) => typeof part === 'string')
        .map((part) => part.replace(COLOURS, '').trim())
      const text = err ? (first.split('\n')[0] ?? '') : first
      const message = text.replace(/^[^\p{L}\p{N}]*/u, '').replace(ADDRESS, '…')
      logger[level]({ ...(err && { err }), ...digest }, message.slice(0, 300) || 'printed to the console')
    }
  }
}
