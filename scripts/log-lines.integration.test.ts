import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { jsonLines } from './log-lines.mjs'

test('what is printed becomes lines of JSON; what is one already stays', () => {
  const ours = '{"level":30,"time":1,"msg":"Intag is up"}'
  const text = `\u001b[1m▲ Next.js 16\u001b[22m\n\n   - Local: http://localhost:3000\n${ours}\n`
  expect(jsonLines(text, 30, 5).split('\n')).toEqual([
    '{"level":30,"time":5,"msg":"▲ Next.js 16"}',
    '{"level":30,"time":5,"msg":"- Local: http://localhost:3000"}',
    ours,
    '',
  ])
  expect(jsonLines('{ not json', 40, 5)).toBe('{"level":40,"time":5,"msg":"{ not json"}\n')
})

test('from the first line: output and Node’s warnings', () => {
  const code = `
    const { printJson } = await import('./scripts/log-lines.mjs')
    printJson()
    console.log('hello'); console.error('oh\\nno')
    process.emitWarning('old', 'DeprecationWarning', 'DEP0001')`
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', code])
  const lines = (text: Buffer) =>
    String(text)
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line))
  expect(status).toBe(0)
  expect(lines(stdout)).toMatchObject([{ level: 30, msg: 'hello' }])
  expect(lines(stderr)).toMatchObject([
    { msg: 'oh' },
    { msg: 'no' },
    { level: 40, msg: 'old', warning: 'DeprecationWarning', code: 'DEP0001' },
  ])
})
