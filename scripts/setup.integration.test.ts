import { spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { placePglite } from '@/server/base/testing/in-memory'
import { temporaryFolder } from '@/server/testing/folder'
import { programs } from '@/server/testing/program'
import { installInto, runIn } from './testing/installed'

const SERVICE = `
  import { createServer } from 'node:http'
  createServer(({ url, headers }, response) => {
    console.log(headers.authorization)
    response.writeHead(url !== '/external/highSchools' ? 404 : /right|new/.test(headers.authorization) ? 200 : 401)
    response.end('{"highSchools":[{"id":"s1","name":"Norra gymnasiet"},{"id":"s2","name":"Södra"}]}')
  }).listen(0, '127.0.0.1', function () { console.log(this.address().port) })`
const SETUP = ['scripts/run-command.mjs', 'setup']

describe('setup', { timeout: 60_000 }, () => {
  const above = temporaryFolder()
  const [code, env] = [join(above, 'code'), join(above, 'code/.env')]
  const program = programs()
  let service: ReturnType<typeof program>
  let url = ''
  beforeAll(() => void installInto(code))
  beforeEach(async () => {
    for (const name of ['.env', '.data', '.data-connected'])
      fs.rmSync(join(code, name), { recursive: true, force: true })
    service = program(SERVICE)
    url = `http://127.0.0.1:${await service.nextLine()}`
  })
  const setup = (args: string[], input = '') => runIn(code, [...SETUP, ...args], {}, { input })
  const first = (more: string[] = ['--no-admin']) =>
    setup([`LEADS_API_URL=${url}`, 'NEXTAUTH_URL=http://localhost:3954', ...more], 'right-token\n')

  test('tries the token, writes .env for its owner alone, makes the first administrator, and says how to go on', async () => {
    await placePglite(join(code, '.data'))
    const { status, text } = first(['--admin', 'ada@skola.se', '--name', 'Ada Ek'])
    expect([status, text]).toEqual([0, expect.stringContaining('with the schools Norra gymnasiet (s1), Södra (s2)\n')])
    expect(text).toMatch(/ada@skola\.se chooses .*:\nhttp:\/\/localhost:3954\/invite#[\w-]{43}\nNow: intag start\n/)
    expect(text).not.toContain('right-token')
    await expect.poll(() => service.lines.slice(1)).toEqual(['Bearer right-token'])
    expect(fs.statSync(env).mode & 0o777).toBe(0o600)
    const written = fs.readFileSync(env, 'utf8')
    const names = [...written.matchAll(/^(\w+)=./gm)].map(([, name]) => name)
    expect(names).toEqual(['LEADS_API_URL', 'NEXTAUTH_URL', 'LEADS_API_TOKEN', 'NEXTAUTH_SECRET', 'DATA_KEY'])

    const kept = `# Ours\r\nHOST=::1 # here\n${written}MAIL="a\nDATA_KEY=b"`
    fs.writeFileSync(env, kept)
    expect(setup(['LEADS_API_TOKEN'], 'new-token#1\n').text).toContain('has LEADS_API_TOKEN now.')
    expect(fs.readFileSync(env, 'utf8')).toBe(kept.replace('=right-token', "='new-token#1'"))
    await expect.poll(() => service.lines.slice(2)).toEqual(['Bearer new-token#1'])
  })

  test('what is wrong is said without a secret, and nothing is written', () => {
    const base = { LEADS_API_URL: url, LEADS_API_TOKEN: 'right-token', NEXTAUTH_URL: 'http://localhost:1' }
    const wrong: [Record<string, string>, RegExp][] = [
      [{ LEADS_API_TOKEN: 'wrong' }, /refuses the token .*status 401/],
      [{ TRUSTED_PROXIES: 'secret' }, /TRUSTED_PROXIES must be the number of proxies/],
      [{ c2VjcmV0: 'secret' }, /^A word is no setting: docs\/settings.md lists them.\n/],
      [{ DATABASE_URL: 'postgres://intag:secret@127.0.0.1:1/intag' }, /wrong +database .*nothing listens there/],
    ]
    for (const [change, says] of wrong) {
      const words = Object.entries({ ...base, ...change }).map((pair) => pair.join('='))
      const { status, text } = setup([...words, '--no-admin'])
      expect([status, text]).toEqual([1, expect.stringMatching(says)])
      expect(text).not.toMatch(/secret|right-token/)
    }
    expect(setup([`LEADS_API_URL=${url}`]).text).toContain('was not answered, and nothing was written')
    expect(fs.existsSync(env)).toBe(false)
  })

  test('a demo’s folder is left to the demo; another file is written where it is named', () => {
    fs.mkdirSync(join(code, '.data'))
    fs.writeFileSync(join(code, '.data/demo-secrets.json'), '{}')
    expect(first().text).toMatch(/DATA_DIR now\./)
    const systemds = join(above, 'intag.env')
    fs.renameSync(env, systemds)
    expect(setup(['--env-file', systemds, 'OIDC_NAME=']).text).toContain(`${systemds} has OIDC_NAME now.`)
    expect(fs.readFileSync(systemds, 'utf8')).toMatch(/^OIDC_NAME=$/m)
  })

  test.skipIf(process.platform !== 'linux')('in a terminal a secret is asked for and not shown', async () => {
    const answers: [RegExp, string][] = [
      [/Address of the service.*: $/, url],
      [/Its token.*: $/, 'right-token'],
      [/Address people open.*: $/, ''],
    ]
    const command = [process.execPath, ...SETUP, '--no-admin'].map((part) => `'${part}'`).join(' ')
    const settings = { PATH: process.env.PATH, NODE_ENV: 'production' } as const
    const terminal = spawn('script', ['-qec', command, '/dev/null'], { cwd: code, env: settings })
    let text = ''
    terminal.stdout.on('data', (some: Buffer) => {
      text += some.toString()
      if (answers[0]?.[0].test(text)) terminal.stdin.write(`${answers.shift()?.[1]}\r`)
    })
    await once(terminal, 'close')
    expect([answers, text]).toEqual([[], expect.stringContaining('Now: intag start')])
    expect(text).not.toContain('right-token')
    expect(fs.readFileSync(env, 'utf8')).toMatch(/^NEXTAUTH_URL=http:\/\/localhost:3000$/m)
  })
})
