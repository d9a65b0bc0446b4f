import { setTimeout } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { programs } from '@/server/testing/program'
import { endOnSignal, endWithNpm } from './shutdown'

const run = programs()

afterEach(() => {
  process.removeAllListeners('SIGTERM')
  process.removeAllListeners('SIGINT')
})

function listening(end: (isHurried: boolean) => Promise<void>) {
  const clock = { now: 0 }
  const codes: number[] = []
  endOnSignal(
    end,
    (code) => void codes.push(code),
    () => clock.now,
  )
  const signal = (name: 'SIGTERM' | 'SIGINT') => void process.emit(name)
  return { clock, codes, signal }
}

test.each([
  ['SIGTERM', false],
  ['SIGINT', true],
] as const)('%s ends the process in good order, once', async (name, isHurried) => {
  const end = vi.fn<(isHurried: boolean) => Promise<void>>(async () => {})
  const { codes, signal } = listening(end)
  signal(name)
  await expect.poll(() => codes).toEqual([0])
  expect(end).toHaveBeenCalledExactlyOnceWith(isHurried)
})

test('Ctrl-C, which comes twice at once, is one wish; a second one ends it at once', () => {
  const { clock, codes, signal } = listening(() => new Promise(() => {}))
  signal('SIGINT')
  clock.now += 20
  signal('SIGINT')
  expect(codes).toEqual([])
  clock.now += 2_000
  signal('SIGTERM')
  expect(codes).toEqual([1])
})

test('a failure on the way out shows in the exit code', async () => {
  const { codes, signal } = listening(() => Promise.reject(new Error('no')))
  signal('SIGTERM')
  await expect.poll(() => codes).toEqual([1])
})

test('only what npm started as the server ends when that is gone, and once', async () => {
  let parent = 7
  const end = vi.fn<() => void>()
  const other = vi.fn<() => void>()
  endWithNpm(end, { parent: () => parent, event: 'start', lookMs: 5 })
  endWithNpm(other, { parent: () => parent, event: 'test', lookMs: 5 })
  await setTimeout(30)
  expect(end).not.toHaveBeenCalled()
  parent = 1
  await setTimeout(40)
  expect(end).toHaveBeenCalledOnce()
  expect(other).not.toHaveBeenCalled()
})

test('a shell that dies between npm and the server leaves no orphan', async () => {
  const { child, lines, nextLine, ended } = run(
    `import { endOnSignal } from './server/run/shutdown.ts'
    endOnSignal(async () => console.log('ended in good order'))
    console.log('up')
    setInterval(() => {}, 1000)`,
    { within: ['sh', '-c', '"$@"; true', 'sh'], env: { ...process.env, npm_lifecycle_event: 'start' } },
  )
  await nextLine()
  child.kill('SIGKILL')
  await ended
  expect(lines).toEqual(['up', 'ended in good order'])
})
