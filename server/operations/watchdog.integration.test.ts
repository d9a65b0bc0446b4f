import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { temporaryFolders } from '@/server/testing/folder'
import { programs } from '@/server/testing/program'

const LIMIT_MS = 500
const DIGEST = 'a'.repeat(64)
const program = (work: string) => `
import { createWatchdog } from './server/operations/watchdog.ts'
const watchdog = createWatchdog({ folder: process.argv[1], limitMs: ${LIMIT_MS} })
const note = (list, isOver = false) => watchdog.note({ list, digest: '${DIGEST}', isOver })
const block = (ms) => { const until = performance.now() + ms; while (performance.now() < until); }
function standStill() { for (;;) {} }
setInterval(() => {}, 1_000)
watchdog.start()
await new Promise((resolve) => setTimeout(resolve, ${LIMIT_MS}))
console.log('ready')
${work}
`

const newFolder = temporaryFolders()
let folder = ''
beforeEach(() => void (folder = newFolder()))
const start = programs()
const run = (work: string) => start(program(work), { args: [folder] })

const verdict = (list: string): unknown => {
  const file = join(folder, `hung-${list}.json`)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
}

test('a blocked server logs where it is blocked, and is killed', { timeout: 20_000 }, async () => {
  const its = run('standStill()')
  expect((await its.ended).signal).toBe('SIGKILL')
  const line = JSON.parse(its.lines[1] ?? '') as { level: number; at: string[] }
  expect(line.level).toBe(60)
  expect(line.at[0]).toMatch(/^standStill \(.+:\d+:\d+\)$/)
  expect(verdict('high-schools')).toBeNull()
})

test(
  'the list that was being read is blamed, else the one that was read last, the second time for certain',
  { timeout: 20_000 },
  async () => {
    const during = run("note('asked-questions'); note('high-schools', true); standStill()")
    await during.ended
    expect(verdict('asked-questions')).toMatchObject({
      list: 'asked-questions',
      digest: DIGEST,
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      stoodAt: expect.stringMatching(/^standStill /),
      isCertain: true,
    })
    expect(verdict('high-schools')).toBeNull()

    for (const isCertain of [false, true]) {
      const after = run("note('high-schools'); note('high-schools', true); await 0; standStill()")
      await after.ended
      expect(verdict('high-schools')).toMatchObject({ list: 'high-schools', isCertain })
    }
  },
)

test('what was read long ago is not blamed', { timeout: 20_000 }, async () => {
  const its = run(`note('high-schools', true); setTimeout(standStill, ${6 * LIMIT_MS})`)
  expect((await its.ended).signal).toBe('SIGKILL')
  expect(verdict('high-schools')).toBeNull()
})

test('a slow server goes on', { timeout: 20_000 }, async () => {
  const slow = `for (let turn = 0; turn < 6; turn++) {
    block(${LIMIT_MS / 2})
    await new Promise((resolve) => setTimeout(resolve, ${LIMIT_MS / 10}))
  }
  console.log('lived'); process.exit(0)`
  const its = run(slow)
  expect(await its.ended).toMatchObject({ code: 0 })
  expect(its.lines).toContain('lived')
})

test('a process that was stopped goes on', { timeout: 20_000 }, async () => {
  const its = run(`setTimeout(() => { console.log('lived'); process.exit(0) }, ${2 * LIMIT_MS})`)
  await its.nextLine()
  its.child.kill('SIGSTOP')
  await wait(3 * LIMIT_MS)
  its.child.kill('SIGCONT')
  expect(await its.ended).toMatchObject({ code: 0 })
})
