import { expect, test } from 'vitest'
import { emptyListState, type ListState } from '@/server/feed/list-state'
import { testServices } from '@/server/testing/services'
import { createLifecycle, live, ready } from './health'

const problem = { kind: 'unavailable', since: 0, detail: 'status 503 from https://service.example' } as const
const EMPTY: ListState<never> = emptyListState<never>()
const FAILED: ListState<never> = { ...EMPTY, problem }
const READ: ListState<never> = { ...EMPTY, content: {} as never }

type State = { list?: ListState<never>; isAway?: boolean; upMs?: number }

function instance({ list = READ, isAway = false, upMs = 100 }: State = {}) {
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
    const answer = await ready(parts)
    return { status: answer.status, ...((await answer.json()) as object) }
  }
  return { ask, lifecycle }
}

test('it is ready from the end of its start to the signal', async () => {
  const { ask, lifecycle } = instance()
  const starting = { status: 503, error: 'Intag is starting', ready: false, phase: 'starting', degraded: [] }
  expect(await ask()).toEqual({ ...starting, reasons: ['Intag is starting'] })
  lifecycle.awaitDatabase(true)
  const waiting = { status: 503, phase: 'waiting', ready: false, reasons: ['Intag waits for the database'] }
  expect(await ask()).toMatchObject(waiting)
  lifecycle.awaitDatabase(false)
  expect(await ask()).toMatchObject(starting)
  lifecycle.up()
  lifecycle.awaitDatabase(true)
  expect(await ask()).toEqual({ status: 200, ready: true, phase: 'up', reasons: [], degraded: [] })
  lifecycle.drain()
  const closing = { status: 503, ready: false, phase: 'draining', reasons: ['Intag is closing'], degraded: [] }
  expect(await ask()).toEqual(closing)
  lifecycle.up()
  expect(await ask()).toMatchObject({ status: 503 })
})

test('an instance without lists is not ready; but only for a while, and not if the service fails', async () => {
  const asked = async (state: State) => {
    const { ask, lifecycle } = instance(state)
    lifecycle.up()
    return ask()
  }
  const degraded = ['A list has no content yet']
  expect(await asked({ list: EMPTY })).toMatchObject({ status: 503, reasons: ['The lists have not been read yet'] })
  expect(await asked({ list: EMPTY, upMs: 31_000 })).toMatchObject({ status: 200, degraded })
  expect(await asked({ list: FAILED })).toMatchObject({ status: 200, ready: true })
})

test('what all instances share takes none of them out: it is reported as degraded, without names or addresses', async () => {
  const { ask, lifecycle } = instance({ isAway: true, list: { ...READ, problem } })
  lifecycle.up()
  expect(await ask()).toEqual({
    status: 200,
    ready: true,
    phase: 'up',
    reasons: [],
    degraded: ['The database cannot be reached', 'A list cannot be read from the service at the moment'],
  })
})

test('it is live whatever else is wrong', async () => {
  expect(live().status).toBe(200)
})
