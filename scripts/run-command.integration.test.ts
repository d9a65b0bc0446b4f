import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { placePglite } from '@/server/db/testing/in-memory'
import { temporaryFolder } from '@/server/testing/folder'
import { admin, installed, runIn } from './testing/installed'

describe.each([
  { of: 'a build', isBuilt: true },
  { of: 'a fresh clone', isBuilt: false },
])('the commands of $of', { timeout: 60_000 }, ({ isBuilt }) => {
  const above = temporaryFolder()
  let code = ''
  beforeAll(() => void (code = installed(join(above, 'code'), { isBuilt })))

  const run = (args: string[], settings = {}) =>
    runIn(code, admin(...args), { DATA_DIR: join(above, 'data'), ...settings })

  const passwords = [
    ['passwordpassword', 1, 'is one that many'],
    ['gul-lampa-vid-trettio-sjok', 0, ', 0 wrong'],
  ] as const
  test.each(passwords.slice(0, isBuilt ? 2 : 1))(
    'doctor judges the first administrator’s password %s before there is a database',
    (password, status, says) => {
      const found = run(['doctor', '--no-service'], {
        LEADS_API_URL: 'https://service.test',
        LEADS_API_TOKEN: 'secret-token',
        NEXTAUTH_URL: 'http://localhost:1',
        NEXTAUTH_SECRET: 'q8Zr2LwX0vKd5Tn7Hs3Y',
        DATA_KEY: Buffer.from(Array.from({ length: 32 }, (_, at) => at * 7 + 1)).toString('base64'),
        BOOTSTRAP_ADMIN_EMAIL: 'a@x.test',
        BOOTSTRAP_ADMIN_PASSWORD: password,
      })
      expect(found).toEqual({ status, text: expect.stringContaining(says) })
      expect(existsSync(join(above, 'data'))).toBe(false)
    },
  )

  test('the first administrator is added', async () => {
    if (!isBuilt) await placePglite(join(above, 'data'))
    expect(run(['add-admin', 'ada@skola.se'])).toEqual({ status: 0, text: expect.stringContaining('/invite#') })
    expect(run(['users'])).toEqual({ status: 0, text: expect.stringContaining('ada@skola.se') })
  })
})
