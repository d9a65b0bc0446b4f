import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { placePglite } from '@/server/base/testing/in-memory'
import { programs } from '@/server/testing/program'
import { temporaryFolder } from '@/server/testing/folder'
import { admin, installed, runIn } from './testing/installed'

const SERVICE = `
  import { createServer } from 'node:http'
  createServer(({ url, headers }, response) => {
    console.log(headers.authorization)
    if (headers.authorization === 'Bearer hangs') return
    response.writeHead(url !== '/external/highSchools' ? 404 : /right|new/.test(headers.authorization) ? 200 : 401)
    response.end('{"highSchools":[{"id":"s1","name":"Norra gymnasiet"},{"id":"s2","name":"Södra"}]}')
  }).listen(0, '127.0.0.1', function () { console.log(this.address().port) })`

describe('setup', { timeout: 60_000 }, () => {
  const above = temporaryFolder()
  let [code, url, env] = ['', '', '']
  const program = programs()
  let service: ReturnType<typeof program>
  beforeAll(async () => {
    code = installed(join(above, 'code'), { isBuilt: true })
    env = join(code, '.env')
    fs.writeFileSync(join(above, 'token'), 'right-token\n')
  })
  beforeEach(async () => {
    for (const name of ['.env', '.data', '.data-connected'])
      fs.rmSync(join(code, name), { recursive: true, force: true })
    service = program(SERVICE)
    url = `http://127.0.0.1:${await service.nextLine()}`
  })
  const setup = (args: string[], options = {}) => runIn(code, admin('setup', ...args), {}, { input: '', ...options })
  const first = (more: string[] = []) =>
    setup(['--url', url, '--token-file', join(above, 'token'), '--address', 'http://localhost:3954', ...more])
  const ada = ['--email', 'ada@skola.se', '--name', 'Ada Ek']
  const oneLine = (text: string) => text.trimEnd().split('\n').length

  test('tries the token, writes .env for its owner alone, makes the first administrator, and says how to go on', async () => {
    await placePglite(join(code, '.data'))
    const { status, text } = first(ada)
    expect([status, text]).toEqual([0, expect.stringContaining('with the schools Norra gymnasiet (s1), Södra (s2).\n')])
    expect(text).toMatch(
      /ada@skola\.se .* until \d{4}-\d\d-\d\d \d\d:\d\d:\nhttp:\/\/localhost:3954\/invite#[\w-]{43}\nNow: intag start\n$/,
    )
    expect(text).not.toContain('right-token')
    await expect.poll(() => service.lines.slice(1)).toEqual(['Bearer right-token'])
    expect(fs.statSync(env).mode & 0o777).toBe(0o600)
    const written = fs.readFileSync(env, 'utf8')
    const names = [...written.matchAll(/^(\w+)=./gm)].map(([, name]) => name)
    // Without a proxy it listens where it is opened.
    expect(names).toEqual(['LEADS_API_URL', 'LEADS_API_TOKEN', 'NEXTAUTH_URL', 'NEXTAUTH_SECRET', 'DATA_KEY', 'PORT'])
    expect(written).toMatch(/^PORT=3954$/m)

    const kept = `# Ours\r\nHOST=::1 # here\n${written}MAIL="a\nDATA_KEY=b"`
    fs.writeFileSync(env, kept)
    const again = setup(['--token-file', '-'], { input: 'new-token#1\n' })
    expect(again).toEqual({ status: 0, text: expect.stringContaining('has LEADS_API_TOKEN now. A running') })
    expect(fs.readFileSync(env, 'utf8')).toBe(kept.replace('=right-token', "='new-token#1'"))
    await expect.poll(() => service.lines.slice(2)).toEqual(['Bearer new-token#1'])
    expect(setup(['--email', 'ada@skola.se']).text).toMatch(/^ada@skola\.se chooses/m)
    expect(runIn(code, admin('users'), {}).text).toMatch(/\nada@skola\.se +Ada Ek +admin +all +invited/)
  })

  test('what is wrong is one line, and nothing is written', () => {
    const base = { '--url': url, '--token': 'right-token', '--address': 'http://localhost:1', '--email': 'a@x.se' }
    const wrong: [Record<string, string>, RegExp][] = [
      [{ '--token': 'wrong' }, /refuses the token .*status 401/],
      [{ '--url': `${url}/elsewhere` }, /does not answer as it should .*LEADS_API_URL right, with its path/],
      [{ '--url': 'http://127.0.0.1:1' }, /ECONNREFUSED.*reach LEADS_API_URL/],
      [{ '--url': 'service.test' }, /LEADS_API_URL must be an http or https address/],
      [{ '--address': 'http://localhost:1/intag' }, /NEXTAUTH_URL must be .* without a path/],
      [{ '--token-file': join(above, 'none') }, /--token-file cannot be read \(ENOENT\)/],
      [{ '--address': '', '--token': '', '--email': '' }, /no terminal to ask in: --token-file, --address, --email\./],
    ]
    for (const [change, says] of wrong) {
      const { status, text } = setup(Object.entries({ ...base, ...change }).flat())
      expect([status, text, oneLine(text)]).toEqual([1, expect.stringMatching(says), 1])
    }
    const nobody = ['--email', 'no address']
    expect(first(nobody)).toEqual({ status: 2, text: expect.stringContaining('EMAIL must be an e-mail address') })
    expect(fs.existsSync(env)).toBe(false)
  })

  test('writes any other setting by its name, or says what is wrong with it', () => {
    expect(first(['--no-admin']).status).toBe(0)
    const before = fs.readFileSync(env, 'utf8')
    const secret = 'postgres://intag:pa$$word@127.0.0.1:1/intag'
    const wrong: [string, RegExp][] = [
      ['LEADS_API_ULR=secret', /^There is no setting LEADS_API_ULR: docs\/settings.md lists them.\n/],
      ['c2VjcmV0secret=', /^There is no setting with this name: /],
      ['TRUSTED_PROXIES=secret', /TRUSTED_PROXIES must be the number of proxies/],
      [`DATABASE_URL=${secret}`, /database: .*nothing listens there: .*right\? Mend DATABASE_URL/],
      ['METRICS_TOKEN', /no terminal to ask in: METRICS_TOKEN\./],
    ]
    for (const [setting, says] of wrong) {
      const { status, text } = setup([setting])
      expect([status, text]).toEqual([expect.any(Number), expect.stringMatching(says)])
      expect([status, text]).not.toEqual([0, expect.stringContaining('secret')])
    }
    expect(fs.readFileSync(env, 'utf8')).toBe(before)
    const { text } = setup(['TRUSTED_PROXIES=1', `METRICS_TOKEN_FILE=${join(above, 'token')}`, 'HOST='])
    expect(text).toContain('.env has TRUSTED_PROXIES, METRICS_TOKEN_FILE, HOST now.')
    const systemds = join(above, 'intag.env')
    fs.renameSync(env, systemds)
    expect(setup(['--env-file', systemds, 'OIDC_NAME=']).text).toContain(`${systemds} has OIDC_NAME now.`)
    expect(fs.readFileSync(systemds, 'utf8')).toMatch(/^OIDC_NAME=$/m)
    expect(fs.readFileSync(env, 'utf8'), 'a start without that file is no demo').toMatch(/^#.* --env-file .*\n$/)
    expect(runIn(code, admin('users'), {}).text).toContain('LEADS_API_URL is missing: a demo has no .env')
  })

  test.skipIf(process.platform !== 'linux')(
    'in a terminal what the service refuses is asked for again, before anything else',
    async () => {
      const answers: [RegExp, string][] = [
        [/Address of the service.*: $/, url],
        [/Its token.*: $/, 'wrong'],
        [/refuses the token[^]*Address of the service.*: $/, url],
        [/Its token.*: $/, 'right-token'],
        [/schools Norra[^]*Address people open.*: $/, 'http://intag.example'],
        [/must begin with https[^]*Address people open.*: $/, 'https://intag.example'],
      ]
      const command = [process.execPath, ...admin('setup', '--no-admin')].map((part) => `'${part}'`).join(' ')
      const terminal = spawn('script', ['-qec', command, '/dev/null'], {
        cwd: code,
        env: { PATH: process.env.PATH, NODE_ENV: 'production' },
      })
      let text = ''
      terminal.stdout.on('data', (some: Buffer) => {
        text += some.toString()
        if (!answers[0]?.[0].test(text)) return
        terminal.stdin.write(`${answers.shift()?.[1]}\r`)
        text = ''
      })
      await once(terminal, 'close')
      expect([answers, text]).toEqual([[], expect.stringContaining('Now: intag start')])
      expect(fs.readFileSync(env, 'utf8')).toMatch(
        /^LEADS_API_TOKEN=right-token\nNEXTAUTH_URL=https:\/\/intag.example$/m,
      )
    },
  )

  test.skipIf(process.geteuid?.() !== 0)('a folder that cannot be written is a line, too', () => {
    const [data, nobody] = [join(above, 'nobody'), { uid: 65_534, gid: 65_534 }]
    execFileSync('chmod', ['-R', 'a+rX', above])
    fs.mkdirSync(data)
    fs.chownSync(data, nobody.uid, nobody.gid)
    const args = ['--url', url, '--token', 'right', '--address', 'http://localhost:1', '--no-admin']
    const { status, text } = runIn(code, admin('setup', ...args), { DATA_DIR: data }, nobody)
    expect([status, text]).toEqual([
      1,
      expect.stringMatching(/\n\.env cannot be written here \(EACCES\); nothing was\.\n$/),
    ])
  })

  test('ended before the service answers it has written nothing; ended before there is a user, it goes on', async () => {
    const args = admin('setup', '--url', url, '--token', 'hangs', '--address', 'http://localhost:1', ...ada)
    const hanging = spawn(process.execPath, args, {
      cwd: code,
      env: { PATH: process.env.PATH, NODE_ENV: 'production' },
    })
    expect(await service.nextLine()).toBe('Bearer hangs')
    hanging.kill('SIGINT')
    await once(hanging, 'close')
    expect(fs.readdirSync(code).filter((name) => name.startsWith('.env'))).toEqual([])
    fs.mkdirSync(join(code, '.data'))
    fs.writeFileSync(join(code, '.data/demo-secrets.json'), '{}')
    expect(first(['--no-admin']).text).toMatch(/DATA_DIR, PORT now.*\nNow: intag start\n$/)
    await placePglite(join(code, '.data-connected'))
    expect(setup(ada)).toEqual({ status: 0, text: expect.stringContaining('/invite#') })
    expect(fs.readdirSync(join(code, '.data'))).toEqual(['demo-secrets.json'])
  })

  test('a name that .env has twice is refused, by every command and the start', () => {
    fs.writeFileSync(env, 'PORT=1\n#PORT=2\nDATA_KEY=\nDATA_KEY=b\n')
    const says = '.env has DATA_KEY more than once: leave one line of each.\n'
    for (const args of [admin('setup'), admin('users'), ['scripts/start.mjs']])
      expect(runIn(code, args, {})).toEqual({ status: expect.any(Number), text: says })
  })
})
