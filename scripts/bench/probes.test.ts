import { expect, test } from 'vitest'
import { createProbes } from './probes'

const GIVE_UP_MS = 30_000

/** Probes of one path whose answers come when told, and a clock that is moved by hand. */
function openProbes() {
  let now = 0
  const waiting: ((status: number) => void)[] = []
  const probes = createProbes(['/a'], {
    ask: () => new Promise((resolve) => void waiting.push(resolve)),
    now: () => now,
    giveUpMs: GIVE_UP_MS,
  })
  return {
    send: probes.send,
    pass: (ms: number) => (now += ms),
    answer: async (status: number) => {
      waiting.shift()?.(status)
      await Promise.resolve()
    },
    figures: () => probes.figures()[0],
  }
}

test('a good answer counts with the time that it took', async () => {
  const { send, pass, answer, figures } = openProbes()
  send(true)
  pass(40)
  await answer(200)
  expect(figures()).toEqual({ path: '/a', asked: 1, p95Ms: 40, refused: 0, failed: 0 })
})

test('a quick refusal is no quick answer: it counts as given up, and is told', async () => {
  const { send, pass, answer, figures } = openProbes()
  send(true)
  pass(2)
  await answer(503)
  expect(figures()).toMatchObject({ p95Ms: GIVE_UP_MS, refused: 1, failed: 0 })
})

test('so does an error, and what was never answered', async () => {
  const { send, pass, answer, figures } = openProbes()
  for (const [status, ms] of [
    [500, 2],
    [0, 31_000],
  ] as const) {
    send(true)
    pass(ms)
    await answer(status)
  }
  expect(figures()).toMatchObject({ asked: 2, p95Ms: 31_000, refused: 0, failed: 2 })
})

test('one that still waits at the end counts with the time it has waited', () => {
  const { send, pass, figures } = openProbes()
  send(true)
  pass(12_000)
  expect(figures()).toEqual({ path: '/a', asked: 1, p95Ms: 12_000, refused: 0, failed: 0 })
})

test('what was sent before the counting is left out, and an answer that comes after it is not', async () => {
  const { send, pass, answer, figures } = openProbes()
  send(false)
  send(true)
  send(false)
  pass(700)
  for (const status of [503, 200, 503]) await answer(status)
  expect(figures()).toEqual({ path: '/a', asked: 1, p95Ms: 700, refused: 0, failed: 0 })
})

test('of no probes there is no figure', () => {
  expect(openProbes().figures()?.p95Ms).toBeNaN()
})
