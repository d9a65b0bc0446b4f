import * as fs from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tmpdir } from 'node:os'
import { placePglite } from '@/server/base/testing/in-memory'
import { temporaryFolder } from '@/server/testing/folder'
import { admin, installed, runIn } from '@/scripts/testing/installed'
import { otherOwner } from './run-command.mjs'

describe.each([
  { of: 'a build', isBuilt: true },
  { of: 'a fresh clone', isBuilt: false },
])('the commands of $of', { timeout: 60_000 }, ({ isBuilt }) => {
  const above = temporaryFolder()
  let code = ''
  beforeAll(() => void (code = installed(join(above, 'code'), { isBuilt })))

  const run = (args: string[]) => runIn(code, admin(...args), { DATA_DIR: join(above, 'data') })

  test('the first administrator is added', async () => {
    if (!isBuilt) await placePglite(join(above, 'data'))
    expect(run(['add-admin', 'ada@skola.se'])).toEqual({ status: 0, text: expect.stringContaining('/invite#') })
    expect(run(['users'])).toEqual({ status: 0, text: expect.stringContaining('ada@skola.se') })
  })
})

const NOBODY = 65_534
const isRoot = process.geteuid?.() === 0
if (!isRoot) console.warn('as-owner: skipped, for only root can become another user')

describe.skipIf(!isRoot)('a data folder that belongs to another user than root', () => {
  let above = ''
  let dataDir = ''
  let code = ''
  let umask = 0
  beforeAll(() => {
    // Whatever this process has opened before: others are to read the code.
    umask = process.umask(0o022)
    above = fs.mkdtempSync(join(tmpdir(), 'intag-owner-'))
    fs.chmodSync(above, 0o755)
    dataDir = join(above, 'private', 'data')
    fs.mkdirSync(dataDir, { recursive: true, mode: 0o755 })
    fs.chownSync(dataDir, NOBODY, NOBODY)
    code = installed(join(above, 'code'), { isBuilt: true })
  }, 60_000)
  afterAll(() => {
    process.umask(umask)
    fs.rmSync(above, { recursive: true })
  })

  const run = (args: string[], user = {}) => runIn(code, args, { DATA_DIR: dataDir }, user)

  test('is used by its user and by root in turn, and nothing in it is ever of root', () => {
    const file = join(above, 'private', 'of-root.backup')
    for (const user of [{}, { uid: NOBODY, gid: NOBODY }, {}]) {
      const found = run(admin('users'), user)
      expect([found.status, found.text]).toEqual([0, expect.any(String)])
      expect(ownersIn(dataDir)).toEqual([NOBODY])
    }
    // As under systemd's DynamicUser: the user reaches the folder only from within the service.
    fs.chmodSync(join(above, 'private'), 0o700)
    expect(run(admin('backup', file))).toMatchObject({ status: 0, text: expect.stringContaining('is whole') })
    expect(fs.existsSync(file)).toBe(true)
    const seen = run(admin('doctor'))
    expect(seen).toMatchObject({ status: 0, text: expect.stringContaining('as this release knows them') })
    expect(ownersIn(dataDir)).toEqual([NOBODY])
  }, 120_000)

  test('is not started with by root, with the reason; with PostgreSQL it is not used', () => {
    const { status, text } = run(['scripts/start.mjs'])
    expect([status, text]).toEqual([1, expect.stringContaining(`belongs to the user ${NOBODY}`)])
    expect(otherOwner({ DATA_DIR: dataDir })).toEqual({ uid: NOBODY, gid: NOBODY })
    expect(otherOwner({ DATA_DIR: dataDir, DATABASE_URL: 'postgres://x' })).toBeNull()
    expect(otherOwner({ DATA_DIR: join(dataDir, 'none') })).toBeNull()
    expect(otherOwner({ DATA_DIR: tmpdir() })).toBeNull()
  })
})

function ownersIn(folder: string): number[] {
  const paths = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path))
  return [...new Set([folder, ...paths].map((path) => fs.statSync(path).uid))]
}
