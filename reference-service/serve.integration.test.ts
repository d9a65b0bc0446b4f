import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, it } from 'vitest'

const script = fileURLToPath(new URL('serve.ts', import.meta.url))
const running = new Set<ReturnType<typeof run>['child']>()
afterEach(() => running.forEach((child) => child.kill('SIGKILL')))

function run(...flags: string[]) {
  const child = spawn(process.execPath, ['--import', 'tsx', script, ...flags], { stdio: ['ignore', 'pipe', 'pipe'] })
  running.add(child)
  const output = { out: '', err: '' }
  child.stdout.on('data', (chunk) => (output.out += String(chunk)))
  child.stderr.on('data', (chunk) => (output.err += String(chunk)))
  const ended = once(child, 'close').then(([code]) => {
    running.delete(child)
    return code as number | null
  })
  return { child, output, ended, printed: () => once(child.stdout, 'data') }
}

it('prints one line of JSON, serves all that it names, and ends on SIGTERM', async () => {
  const { child, output, ended, printed } = run('--port', '0', '--tier', 'S', '--seed', '9', '--json')
  await printed()
  expect(output.out.trim().split('\n')).toHaveLength(1)
  const { baseUrl, tokens } = JSON.parse(output.out)
  expect(baseUrl).toMatch(/^http:\/\/localhost:\d+\/v1$/)
  expect(tokens).toEqual({ all: 'all-9', some: 'some-9', none: 'none-9' })
  const answer = await fetch(`${baseUrl}/external/highSchools`, { headers: { authorization: `Bearer ${tokens.all}` } })
  expect(await answer.json()).toEqual({ highSchools: [{ id: 'norra-gymnasiet', name: 'Norra Gymnasiet' }] })

  const taken = run('--port', new URL(baseUrl).port, '--tier', 'S')
  expect(await taken.ended).toBe(1)
  expect(taken.output.err).toContain('EADDRINUSE')

  child.kill('SIGTERM')
  expect(await ended).toBe(0)
  expect(output.err).toBe('')
})

it('says how to call it', async () => {
  const { output, printed } = run('--port', '0', '--tier', 'S')
  await printed()
  expect(output.out).toContain('Schools: 1; declarations: 500; questions: 170')
  expect(output.out).toMatch(
    /curl -H 'Authorization: Bearer all-7' 'http:\/\/localhost:\d+\/v1\/external\/highSchool\?id=norra-gymnasiet'/,
  )
})

it.each([
  [['--tier', 'XXL'], 2, /^--tier must be one of S, M, L, XL, Stress, not "XXL"\n/],
  [['--prot', '1'], 2, /--prot/],
  [['--data', '/nowhere.json'], 1, /^\/nowhere\.json: ENOENT[^\n]*\n$/],
])('explains a wrong flag or file in a line and ends: %s', async (flags, code, reason) => {
  const { ended, output } = run(...flags)
  expect(await ended).toBe(code)
  expect(output.err).toMatch(reason)
})
