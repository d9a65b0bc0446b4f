import { expect, test } from 'vitest'
import { MailNotSentError, NotFoundError, NotReadyError } from '@/server/errors'
import { createLogger } from '@/server/logger'
import { errorResponse, tellRequest } from './responses'

function told(err: unknown): Record<string, unknown> {
  let log = ''
  const logger = createLogger({ logLevel: 'info' }, { write: (line) => void (log += line) })
  const { status } = errorResponse(err)
  tellRequest(logger, { requestId: 'r', method: 'POST', path: '/api/replies', status, ms: 1, userId: 'sara' }, { err })
  return JSON.parse(log) as Record<string, unknown>
}

test('what nobody expected is an error, and says where', () => {
  expect(told(new Error('x'))).toMatchObject({ level: 50, status: 500, err: { message: 'x' }, msg: 'request failed' })
})

test('what people get wrong, and what is too much for now, is no more than a line', () => {
  expect(told(new NotFoundError())).toMatchObject({ level: 30, status: 404, msg: 'request' })
  expect(told(new NotReadyError('busy', 5))).toMatchObject({ level: 30, status: 503 })
})

test('mail that was not taken is a warning with its code, for somebody who misspelt an address wakes nobody', () => {
  const line = told(new MailNotSentError('recipient', 'EENVELOPE 550'))
  expect(line).toMatchObject({ level: 40, status: 502, reason: 'recipient', detail: 'EENVELOPE 550', userId: 'sara' })
  expect(line).not.toHaveProperty('err')
})
