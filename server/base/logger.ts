import pino, { type Logger as PinoLogger } from 'pino'
import { processOutageMonitor } from './database-outage'
import type { Env } from './env'
import { readErrorCode, listCauses } from './error-codes'
import { oncePerProcess } from './once-per-process'
import { findCurrentRequest } from './request-context'

export type Logger = PinoLogger

/** Creates a log of ids, counts, codes and durations, without personal data. Lines of a request have its id. */
export function createLogger(
  env: Pick<Env, 'logLevel'> & Partial<Pick<Env, 'logFormat'>>,
  destination?: pino.DestinationStream,
  outage = processOutageMonitor(),
): Logger {
  const options: pino.LoggerOptions = {
    level: env.logLevel,
    base: null,
    serializers: { err: describeError },
    mixin: () => {
      const request = findCurrentRequest()
      return request === null ? {} : { requestId: request.id }
    },
    hooks: {
      // In an outage of the database every request fails, so one line a minute counts the failures.
      logMethod(args, method) {
        const [details] = args as unknown[]
        const err = typeof details === 'object' && details !== null && 'err' in details ? details.err : null
        const { kind, ...line } = outage.recordError(err)
        if (kind === 'unrelated') method.apply(this, args)
        if (kind === 'summary') method.apply(this, [line, 'the database cannot be used; nothing can be saved'])
      },
    },
  }
  if (destination) return pino(options, destination)
  const isText = env.logFormat === 'text'
  const output = pino.destination({ dest: logOutput().fd, sync: isText })
  return pino(options, isText ? { write: (line) => void output.write(formatLogLine(line)) } : output)
}

/** The log goes to this file descriptor. A console command sets it to 2, because its answer goes to standard output. */
export const logOutput = oncePerProcess('log-output', () => ({ fd: 1 }))

/** Leaves out a message that may quote data, such as the parameters of a query. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error }
  const root = listCauses(error).at(-1) ?? error
  const code = readErrorCode(root)
  const mayQuoteData = root !== error || error.name === 'DrizzleQueryError' || code !== ''
  return {
    type: root.name,
    code: code || undefined,
    message: mayQuoteData ? undefined : root.message,
    stack: (root.stack?.match(/^ +at .*$/gm) ?? []).map((line) => line.trim()),
  }
}

/** Removes e-mail addresses, which the errors of Entra ID contain. */
export function redactEmails(text: string): string {
  return text.replace(/[^\s'"<>]+@[^\s'"<>]+/g, '…')
}

function formatLogLine(json: string): string {
  const { level, time, msg = '', ...details } = JSON.parse(json) as Record<string, unknown>
  const clock = new Date(Number(time)).toTimeString().slice(0, 8)
  const label = pino.levels.labels[Number(level)] ?? ''
  const fields = Object.keys(details).length === 0 ? '' : ` ${JSON.stringify(details)}`
  return `${clock} ${label.padEnd(5)} ${String(msg)}${fields}\n`
}
