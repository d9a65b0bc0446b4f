import * as fs from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPglite } from '@/server/base/database'
import { activity } from '@/server/base/schema'
import { placePglite } from '@/server/base/testing/in-memory'
import { programs } from '@/server/testing/program'
import { temporaryFolder } from '@/server/testing/folder'
import { admin, installed, runIn } from '@/scripts/testing/installed'
import { askRunning, NobodyAnswersError, openConsole } from './socket'

const INTAG = `
  import { services } from './server/run/services.ts'
  import { claimDatabase } from './server/run/database-identity.ts'
  import { openConsole } from './server/run/socket.ts'
  import { runAdmin } from './server/run/run.ts'
  const parts = services()
  await claimDatabase(parts)
  parts.lifecycle.up()
  openConsole(parts, runAdmin).on('listening', () => console.log('up'))
  setInterval(() => {}, 1000)`
const KNOCK = `
  import { createConnection } from 'node:net'
  createConnection(process.argv[1]).on('error', ({ code }) => console.log(code)).on('connect', () => console.log('in'))`
const key = (seed: number) => Buffer.from(Array.from({ length: 32 }, (_, at) => at * 7 + seed)).toString('base64')

describe('beside an Intag that has PGlite open', { timeout: 60_000 }, () => {
  const above = temporaryFolder()
  const dataDir = join(above, 'data')
  const socket = join(dataDir, 'console.sock')
  const settings = {
    DATA_DIR: dataDir,
    LEADS_API_URL: 'http://127.0.0.1:1',
    LEADS_API_TOKEN: 'secret-token',
    NEXTAUTH_URL: 'http://localhost:1',
    NEXTAUTH_SECRET: 'q8Zr2LwX0vKd5Tn7Hs3Y',
    DATA_KEY: key(1),
    LOG_LEVEL: 'silent',
  }
  let code = ''
  beforeAll(async () => {
    code = installed(join(above, 'code'), { isBuilt: true })
    await placePglite(dataDir)
  })
  const program = programs()
  const intag = async () => {
    const running = program(INTAG, { env: { ...process.env, ...settings } })
    await running.nextLine()
    return running
  }
  const run = (args: string[], more = {}, options = {}) =>
    runIn(code, admin(...args), { ...settings, ...more }, options)
  const refused = (says: string | RegExp) => ({ status: 1, text: expect.stringMatching(says) })

  test('commands do what they do beside PostgreSQL, in the same words; other users are refused', async () => {
    const stopped = run(['add-admin', 'ada@skola.se'])
    expect(stopped).toEqual({ status: 0, text: expect.stringMatching(/^http:\/\/localhost:1\/invite#[\w-]{43}\n$/) })
    await intag()
    expect([socket, dataDir].map((path) => fs.statSync(path).mode & 0o777)).toEqual([0o600, 0o700])
    expect(run(['add-admin', 'eva@skola.se'])).toEqual({ status: 0, text: expect.stringContaining('/invite#') })
    expect(run(['reset-link', 'x@skola.se'])).toEqual(refused(/^Nobody has the address "x@skola.se".\n$/))
    expect(run(['accept-key', '--lost'])).toEqual(refused('Stop Intag'))
    expect(run(['users'], { DATA_KEY: key(2) })).toEqual(refused('DATA_KEY is not the key'))
    const turned = run(['users'], { DATA_KEY: key(2), DATA_KEY_PREVIOUS: key(1) })
    expect(turned).toEqual(refused('runs with another DATA_KEY'))
    if (process.geteuid?.() !== 0) return
    fs.chmodSync(above, 0o755)
    const asNobody = ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups']
    expect(await program(KNOCK, { args: [socket], within: asNobody }).nextLine()).toBe('EACCES')
  })

  test('doctor asks the service once, at a place of Intag’s, which has the settings that count', async () => {
    await intag()
    const { text } = run(['doctor'])
    expect(text).toMatch(/ok {5}database +The database answers/)
    expect(text).toMatch(/wrong {2}service .*ECONNREFUSED/)
    expect(run(['doctor'], { DATA_KEY: key(2) })).toEqual(refused('DATA_KEY is not the key'))
  })

  test('a backup goes to a file or standard output and comes back from there, past what a killed Intag left', async () => {
    const [running, draft] = [await intag(), join(dataDir, 'backups', 'half.backup')]
    const [file, other] = [join(above, 'one.backup'), join(above, 'two.backup')]
    expect(run(['backup', file])).toEqual({ status: 0, text: expect.stringMatching(`^${file} is whole: [\\d.]+ MB`) })
    expect(fs.statSync(file).mode & 0o777).toBe(0o600)
    expect(run(['backup', file])).toEqual(refused('already'))
    expect(run(['backup', file], { DATABASE_URL: 'postgres://x@127.0.0.1:1/x' })).toEqual(refused('pg_dump'))
    const piped = run(['backup', '-'], {}, { stdio: ['ignore', fs.openSync(other, 'w'), 'pipe'] })
    expect(piped.text).toMatch(/The backup is whole/)
    // Where `npm run` writes first what it runs.
    const input = Buffer.concat([Buffer.from('\n> intag@0.4.0 admin\n\n'), fs.readFileSync(other)])
    expect(run(['restore', '-', '--replace'], {}, { input })).toEqual(refused('Stop Intag'))
    await running.kill()
    expect(fs.existsSync(socket)).toBe(true)
    expect(run(['restore', other])).toEqual(refused('--replace'))
    expect(run(['restore', '-', '--replace'], { DATA_KEY: key(2) }, { input })).toEqual(
      refused('DATA_KEY is not the key'),
    )
    const restored = run(['restore', '-', '--replace'], {}, { input })
    expect(restored).toEqual({ status: 0, text: expect.stringMatching(/^The backup is restored.*pg\.before-/s) })
    expect(run(['restore', '-', '--replace'], {}, { input: 'nothing' })).toEqual(refused(/^This is no backup of Intag/))
    expect(fs.readdirSync(join(dataDir, 'backups'))).toEqual([])
    fs.writeFileSync(draft, '')
    await (await intag()).kill()
    expect(fs.existsSync(draft)).toBe(false)
    const { db, close } = await openPglite(dataDir)
    const actions = (await db.select().from(activity)).map(({ action }) => action)
    expect(actions).toEqual(['user-created', 'user-created', 'backup-made', 'backup-restored'])
    await close()
  })
})

describe('the socket', () => {
  const dataDir = temporaryFolder()
  const env = { dataDir, databaseUrl: null }
  const server = openConsole({ env, logger: { warn: () => {} } } as never, async ([name = '']) => ({
    code: 0,
    out: name,
    err: '',
  }))
  afterAll(() => void server?.close())

  test('answers one command after the other, and whoever speaks otherwise', async () => {
    expect(await Promise.all(['a', 'b'].map((name) => askRunning(dataDir, [name])))).toMatchObject([
      { out: 'a' },
      { out: 'b' },
    ])
    expect(await askRunning(dataDir, [7 as never])).toMatchObject({
      code: 1,
      err: expect.stringContaining('another release'),
    })
  })

  test('is not there without a process, nor with PostgreSQL', async () => {
    await expect(askRunning(join(dataDir, 'elsewhere'), ['users'])).rejects.toThrow(NobodyAnswersError)
    expect(
      openConsole({ env: { ...env, databaseUrl: 'postgres://x' } } as never, async () => expect.unreachable()),
    ).toBeNull()
  })
})
