import { expect, test } from 'vitest'
import { MailNotSentError, NotFoundError, NotReadyError } from '@/server/base/errors'
import { createLogger } from '@/server/base/logger'
import { createErrorResponse, logRequest } from './responses'

function logged(err?: unknown, path = '/api/replies'): Record<string, unknown>[] {
  const lines: Record<string, unknown>[] = []
  const logger = createLogger({ logLevel: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) })
  const status = err === undefined ? 503 : createErrorResponse(err).status
  logRequest(logger, { method: 'POST', path, status, ms: 1, userId: 'sara' }, { err })
  return lines
}

test.each([
  ['an unexpected error is one, with its place', new Error('x'), { level: 50, status: 500, err: { message: 'x' } }],
  ['wrong input is information', new NotFoundError(), { level: 30, status: 404 }],
  ['overload is information', new NotReadyError('busy', 5), { level: 30, status: 503 }],
])('in the log %s', (_, err, line) => expect(logged(err)).toMatchObject([line]))

test('mail that was not taken is a warning with its code, for a misspelt address must wake nobody', () => {
  const [line] = logged(new MailNotSentError('recipient', 'EENVELOPE 550'))
  expect(line).toMatchObject({ level: 40, status: 502, reason: 'recipient', detail: 'EENVELOPE 550', userId: 'sara' })
  expect(line).not.toHaveProperty('err')
})

test('the 503 of a probe is an answer, below what is logged, unless it failed', () => {
  expect(logged(undefined, '/api/health/ready')).toEqual([])
  expect(logged(new Error('x'), '/api/health/ready')).toHaveLength(1)
})
