import { expect, test } from 'vitest'
import { createProbes } from './probes'

const GIVE_UP_MS = 30_000

/** Figures are read after 60 s. */
type Sent = readonly [at: number, isCounting: boolean, status?: number, ms?: number]

test.each<[string, Sent[], object]>([
  ['a good answer counts with its time', [[0, true, 200, 40]], { asked: 1, p95Ms: 40, refused: 0, failed: 0 }],
  ['a quick refusal counts as given up', [[0, true, 503, 2]], { asked: 1, p95Ms: GIVE_UP_MS, refused: 1, failed: 0 }],
  ['so does an error', [[0, true, 500, 2]], { asked: 1, p95Ms: GIVE_UP_MS, refused: 0, failed: 1 }],
  ['and no answer, with all its time', [[0, true, 0, 31_000]], { asked: 1, p95Ms: 31_000, refused: 0, failed: 1 }],
  [
    'one that still waits counts with its time so far',
    [[48_000, true]],
    { asked: 1, p95Ms: 12_000, refused: 0, failed: 0 },
  ],
  [
    'what is sent outside of the counting is left out',
    [
      [0, false, 503, 5],
      [1, true, 200, 700],
      [9, false, 503, 5],
    ],
    { asked: 1, p95Ms: 700, refused: 0, failed: 0 },
  ],
  ['of no probes there is no figure', [], { asked: 0, p95Ms: Number.NaN, refused: 0, failed: 0 }],
])('%s', async (_, sent, expected) => {
  const time = { now: 0 }
  const answers: ((status: number) => void)[] = []
  const ask = () => new Promise<number>((resolve) => void answers.push(resolve))
  const probes = createProbes(['/a'], { ask, now: () => time.now, giveUpMs: GIVE_UP_MS })
  for (const [at, isCounting] of sent) {
    time.now = at
    probes.send(isCounting)
  }
  for (const [index, [at, , status, ms = 0]] of sent.entries()) {
    if (status === undefined) continue
    time.now = at + ms
    answers[index]?.(status)
    await Promise.resolve()
  }
  time.now = 60_000
  expect(probes.figures()).toEqual([{ path: '/a', ...expected }])
})
