import { afterEach, expect, test, vi } from 'vitest'
import { programs } from '@/server/testing/program'
import { shutDownOnSignal } from './shutdown'

const run = programs()

afterEach(() => {
  process.removeAllListeners('SIGTERM')
  process.removeAllListeners('SIGINT')
})

function listen(end: (options: { isHurried: boolean }) => Promise<void>) {
  const clock = { now: 0 }
  const exit = vi.fn<(code: number) => void>()
  shutDownOnSignal(end, exit, () => clock.now)
  const signal = (name: 'SIGTERM' | 'SIGINT') => void process.emit(name)
  return { clock, exit, signal }
}

test.each([
  ['SIGTERM', false],
  ['SIGINT', true],
] as const)('%s ends the process in good order, once', async (name, isHurried) => {
  const end = vi.fn<(options: { isHurried: boolean }) => Promise<void>>(async () => {})
  const { exit, signal } = listen(end)
  signal(name)
  await vi.waitFor(() => expect(exit).toHaveBeenCalledExactlyOnceWith(0))
  expect(end).toHaveBeenCalledExactlyOnceWith({ isHurried })
})

test('Ctrl-C, which comes twice at once, is one wish; a second one ends it at once', () => {
  const { clock, exit, signal } = listen(() => new Promise(() => {}))
  signal('SIGINT')
  clock.now = 20
  signal('SIGINT')
  expect(exit).not.toHaveBeenCalled()
  clock.now = 2_000
  signal('SIGTERM')
  expect(exit).toHaveBeenCalledExactlyOnceWith(1)
})

test('a shell that dies between npm and the server leaves no orphan', async () => {
  const { child, lines, nextLine, ended } = run(
    `import { shutDownOnSignal } from './server/run/shutdown.ts'
    shutDownOnSignal(async () => console.log('ended in good order'))
    console.log('up')
    setInterval(() => {}, 1000)`,
    { within: ['sh', '-c', '"$@"; true', 'sh'], env: { ...process.env, npm_lifecycle_event: 'start' } },
  )
  await nextLine()
  child.kill('SIGKILL')
  await ended
  expect(lines).toEqual(['up', 'ended in good order'])
})
