import { expect, test } from 'vitest'
import { MailNotSentError, NotFoundError, NotReadyError } from '@/server/base/errors'
import { createLogger } from '@/server/base/logger'
import { errorResponse, logRequest } from './responses'

function logged(err: unknown): Record<string, unknown> {
  let log = ''
  const logger = createLogger({ logLevel: 'info' }, { write: (line) => void (log += line) })
  const { status } = errorResponse(err)
  logRequest(logger, { method: 'POST', path: '/api/replies', status, ms: 1, userId: 'sara' }, { err })
  return JSON.parse(log) as Record<string, unknown>
}

test('an unexpected error is logged as an error, with its place', () => {
  expect(logged(new Error('x'))).toMatchObject({ level: 50, status: 500, err: { message: 'x' }, msg: 'request failed' })
})

test('wrong input and overload are lines of information', () => {
  expect(logged(new NotFoundError())).toMatchObject({ level: 30, status: 404, msg: 'request' })
  expect(logged(new NotReadyError('busy', 5))).toMatchObject({ level: 30, status: 503 })
})

test('the 503 of a probe is an answer, below what is logged', () => {
  const lines: string[] = []
  const logger = createLogger({ logLevel: 'info' }, { write: (line) => void lines.push(line) })
  const probe = { method: 'GET', path: '/api/health/ready', status: 503, ms: 1, userId: null }
  logRequest(logger, probe, {})
  expect(lines).toEqual([])
  logRequest(logger, probe, { err: new Error('x') })
  expect(lines).toHaveLength(1)
})

test('mail that was not taken is a warning with its code, for a misspelt address must wake nobody', () => {
  const line = logged(new MailNotSentError('recipient', 'EENVELOPE 550'))
  expect(line).toMatchObject({ level: 40, status: 502, reason: 'recipient', detail: 'EENVELOPE 550', userId: 'sara' })
  expect(line).not.toHaveProperty('err')
})
