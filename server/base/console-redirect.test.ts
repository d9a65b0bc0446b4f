import { expect, test } from 'vitest'
import { redirectConsole } from './console-redirect'
import { createLogger } from './logger'

function world() {
  const lines: Record<string, unknown>[] = []
  const logger = createLogger({ logLevel: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) })
  const printed = { error: (..._parts: unknown[]) => {}, warn: (..._parts: unknown[]) => {} }
  redirectConsole(logger, printed)
  return { lines, printed }
}

test('an error of drawing is a line of the log with its place and the digest that the screen shows', () => {
  const { lines, printed } = world()
  printed.error('\u001b[31m⨯\u001b[39m', Object.assign(new TypeError('rows is undefined'), { digest: '4711' }))
  const stack = expect.arrayContaining([expect.stringContaining('console-redirect.test')])
  expect(lines).toMatchObject([
    { level: 50, digest: '4711', err: { type: 'TypeError', message: 'rows is undefined', stack } },
  ])
})

test('nothing of a search, of a query’s parameters, or of what a database or mail server quotes is logged', () => {
  const { lines, printed } = world()
  const query = Object.assign(new Error('Failed query: … params: eva@skolan.test'), { name: 'DrizzleQueryError' })
  const unique = 'Key (email)=(eva@skolan.test) already exists'
  printed.error('Failed to handle request for /api/asked-questions?q=Eva%20Svensson')
  printed.error(query)
  printed.error('No user eva@skolan.test')
  printed.warn({ email: 'eva@skolan.test' }, 'see https://intag.test/contacts/eva?q=eva for more')
  printed.error(Object.assign(new Error(unique), { code: '23505', detail: unique }))
  expect(JSON.stringify(lines)).not.toMatch(/eva/i)
  expect(lines).toMatchObject([
    { msg: 'Failed to handle request for …' },
    { err: { type: 'DrizzleQueryError' } },
    { msg: 'No user …' },
    { msg: 'see … for more' },
    { err: { type: 'Error', code: '23505' } },
  ])
})
