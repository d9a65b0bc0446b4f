import 'server-only'
import { NotReadyError } from '@/server/errors'
import type { Logger } from '@/server/logger'
import { isOutage } from './responses'

type RequestLine = {
  requestId: string
  method: string
  path: string
  status: number
  ms: number
  userId: string | null
}

/**
 * The log's line for a request that was answered. What fails at times without a fault of ours, as the mail server, says why in
 * codes; what nobody expected says where in the program.
 */
export function tellRequest(
  logger: Pick<Logger, 'info' | 'warn' | 'error'>,
  line: RequestLine,
  failure: { err?: unknown },
): void {
  const { err } = failure
  if (line.status > 500 && isOutage(err)) {
    logger.info(line, 'request')
    logger.warn(failure, 'the database cannot be reached')
  } else if (line.status < 500 || err instanceof NotReadyError) logger.info(line, 'request')
  else if (line.status > 500) logger.warn({ ...line, ...codesOf(err) }, 'request')
  else logger.error({ ...line, ...failure }, 'request failed')
}

function codesOf(error: unknown): object {
  const { reason, detail }: Partial<Record<string, unknown>> = error instanceof Error ? { ...error } : {}
  return { ...(typeof reason === 'string' && { reason }), ...(typeof detail === 'string' && { detail }) }
}
