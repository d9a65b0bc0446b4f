import { expect, test } from 'vitest'
import { createEmptyListState, type ListState } from '@/server/feed/list-state'
import { testServices } from '@/server/testing/services'
import { getReadiness } from './health'
import { createLifecycle } from './lifecycle'

const problem = { kind: 'unavailable', since: 0, detail: 'status 503 from https://service.example' } as const
const EMPTY: ListState<never> = createEmptyListState<never>()
const READ: ListState<never> = { ...EMPTY, content: {} as never }

function instance({ list = READ, isAway = false, upMs = 100 } = {}) {
  const lifecycle = createLifecycle()
  const parts = testServices({
    lifecycle,
    feed: { askedQuestions: () => list, declarations: () => READ },
    connect: async () => {
      if (isAway) throw new Error('away')
      return { execute: (async () => []) as never }
    },
    clock: { monotonic: () => upMs },
  })
  const ask = async () => {
    const answer = await getReadiness(parts)
    return { status: answer.status, ...((await answer.json()) as object) }
  }
  return { ask, lifecycle }
}

test('an instance is ready from the end of its start to the signal', async () => {
  const { ask, lifecycle } = instance()
  const starting = { status: 503, ready: false, phase: 'starting', reasons: ['Intag is starting'] }
  expect(await ask()).toMatchObject(starting)
  lifecycle.setWaitingForDatabase(true)
  expect(await ask()).toMatchObject({ status: 503, phase: 'waiting', reasons: ['Intag waits for the database'] })
  lifecycle.setWaitingForDatabase(false)
  expect(await ask()).toMatchObject(starting)
  lifecycle.markUp()
  lifecycle.setWaitingForDatabase(true)
  expect(await ask()).toEqual({ status: 200, ready: true, phase: 'up', reasons: [], degraded: [] })
  lifecycle.drain()
  lifecycle.markUp()
  expect(await ask()).toMatchObject({ status: 503, ready: false, phase: 'draining', reasons: ['Intag is closing'] })
})

const notRead = { status: 503, reasons: ['The lists have not been read yet'] }
const away = ['The database cannot be reached', 'A list cannot be read from the service at the moment']
const noContent = ['A list has no content yet']
test.each<[string, Parameters<typeof instance>[0], object]>([
  ['without lists at the start it is not ready', { list: EMPTY }, notRead],
  ['after half a minute it is', { list: EMPTY, upMs: 31_000 }, { status: 200, degraded: noContent }],
  ['if the service fails it is at once', { list: { ...EMPTY, problem } }, { status: 200, ready: true }],
  ['what all share takes none out', { isAway: true, list: { ...READ, problem } }, { status: 200, degraded: away }],
])('%s', async (_, state, answer) => {
  const { ask, lifecycle } = instance(state)
  lifecycle.markUp()
  expect(await ask()).toMatchObject(answer)
})
