import { expect, test, vi } from 'vitest'
import { POST as postAuth } from '@/app/api/auth/[...nextauth]/route'
import { routeWorld } from '@/server/http/testing/route-world'
import { createLifecycle } from '@/server/http/lifecycle'
import { createEndpointHandler } from './routes'

const nothingYet = () => ({ content: null, problem: null })
const lifecycle = createLifecycle()
routeWorld({ feed: { askedQuestions: nothingYet, declarations: nothingYet }, lifecycle })

const run = vi.fn<() => object>(() => ({ isDone: true }))
const write = createEndpointHandler(
  { summary: 'a test', who: 'anyone' },
  { pattern: '/api/things', method: 'POST' },
  run,
)
const written = () =>
  new Request('https://intag.test/api/things', { method: 'POST', headers: { origin: 'https://intag.test' } })
const context = { params: Promise.resolve({ nextauth: ['callback', 'credentials'] }) }

test.each([
  ['starting', false, null],
  ['waiting', true, 'database-away'],
])('while %s no route does anything, and each answers 503', async (phase, isAway, reason) => {
  lifecycle.setDatabaseAway(isAway)
  for (const answer of [write, postAuth]) {
    const response = await answer(written() as never, context)
    const { status, headers } = response
    expect([status, headers.get('retry-after'), headers.get('intag-reason')]).toEqual([503, '3', reason])
    expect(await response.json()).toMatchObject({ phase, ready: false, error: expect.stringMatching(/^Intag /) })
  }
  expect(run).not.toHaveBeenCalled()
})

test('a request that was held until the start had ended is served', async () => {
  const held = written()
  lifecycle.markUp()
  expect(await (await write(held, context)).json()).toEqual({ isDone: true })
})
