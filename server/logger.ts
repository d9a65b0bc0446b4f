import 'server-only'
import pino, { type Logger as PinoLogger } from 'pino'
import { type Outage, processOutage } from '@/server/db/outage'
import { requestUnderWay } from './activity/asked-from'
import type { Env } from './env'
import { readableLine } from './readable-line'

export type Logger = PinoLogger

/**
 * Lines on standard output, JSON or for people. No personal data may reach it: ids, counts, codes and durations only. What is
 * logged while a request is answered has its id.
 */
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
    hooks: oneLineOf(outage),
  }
  if (destination) return pino(options, destination)
  return env.logFormat === 'text' ? pino(options, forPeople()) : pino(options)
}

function requestOfLine(): { requestId?: string } {
  const request = requestUnderWay()
  return request === null ? {} : { requestId: request.id }
}

function forPeople(): pino.DestinationStream {
  const out = pino.destination({ dest: 1, sync: true })
  return { write: (line) => void out.write(readableLine(line)) }
}

/** While the database is away everything fails by it: that is one line a minute, which counts them, and no stack for each. */
function oneLineOf(outage: Outage): {
  logMethod: (this: PinoLogger, args: Parameters<pino.LogFn>, method: pino.LogFn) => void
} {
  return {
    logMethod(args, method) {
      const [first] = args as unknown[]
      const err = typeof first === 'object' && first !== null && 'err' in first ? first.err : null
      const heard = outage.hear(err)
      if (heard === null) return method.apply(this, args)
      if (heard.line !== null) method.apply(this, [heard.line, 'the database cannot be used; nothing can be saved'])
    },
  }
}

/**
 * An error without what it may quote. Database errors carry the query's parameters in message, detail and stack
 * (e-mail addresses among them), so of those only kind, code and place remain.
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error }
  const root = rootCause(error)
  const code = 'code' in root && typeof root.code === 'string' ? root.code : undefined
  const quotesData = root !== error || error.name === 'DrizzleQueryError' || code !== undefined
  return {
    type: root.name,
    ...(code === undefined ? {} : { code }),
    ...(quotesData ? {} : { message: root.message }),
    at: framesOf(root),
  }
}

function rootCause(error: Error): Error {
  let root = error
  for (let depth = 0; depth < 5 && root.cause instanceof Error; depth += 1) root = root.cause
  return root
}

/** The stack without its first lines, which repeat the message. */
function framesOf(error: Error): string[] {
  const lines = (error.stack ?? '').split('\n')
  return lines.filter((line) => /^\s+at /.test(line)).map((line) => line.trim())
}
