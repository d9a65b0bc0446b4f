import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { cpuMsOf, familyCpuMsOf, parentOf } from './measure'

const hasProc = existsSync('/proc/self/stat')
const BURN = 'const end = process.cpuUsage().user + 3e5; while (process.cpuUsage().user < end);'

test.runIf(hasProc)('a family has the time of its children, alive or ended, and a process only its own', async () => {
  const [before, ownBefore] = [familyCpuMsOf(process.pid), cpuMsOf(process.pid)]
  const child = spawn(process.execPath, ['-e', `${BURN} process.stdout.write('done'); process.stdin.resume()`])
  await once(child.stdout, 'data')
  expect(familyCpuMsOf(process.pid) - before).toBeGreaterThanOrEqual(290)
  expect(cpuMsOf(child.pid)).toBeGreaterThanOrEqual(290)
  child.stdin.end()
  await once(child, 'exit')
  expect(familyCpuMsOf(process.pid) - before).toBeGreaterThanOrEqual(290)
  expect(cpuMsOf(process.pid) - ownBefore).toBeLessThan(250)
})

test.runIf(hasProc)('only a process of the name that was meant has a parent', () => {
  const name = readFileSync('/proc/self/comm', 'utf8').trim()
  expect(parentOf(process.pid, name)).toBe(process.ppid)
  expect(parentOf(process.pid, 'postgres')).toBeNull()
})

test('of a process that there is not, nothing is known', () => {
  expect(cpuMsOf(2 ** 30)).toBeNaN()
  expect(cpuMsOf(undefined)).toBeNaN()
  expect(parentOf(2 ** 30, 'postgres')).toBeNull()
})
