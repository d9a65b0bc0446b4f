import { afterAll, beforeAll, expect, test } from 'vitest'
import { renewedSessionCookie } from '@/server/access/session-cookie'
import { makeViewer } from '@/server/access/viewer'
import { createLoad } from '@/server/http/load'
import { createLogger } from '@/server/logger'
import { POST as previewExport } from './exports/preview/route'
import { POST as countList } from './list-counts/route'
import { POST as showPresence } from './presence/route'
import { PATCH as changeTriage } from './triage/route'

const auth = { url: 'https://intag.test', secret: 's'.repeat(32) }
const viewer = makeViewer({ id: 'u1', name: 'Sara', email: 's@x.test', role: 'staff', schools: ['norra'] })
let headers: Record<string, string> = {}
beforeAll(async () => {
  const load = createLoad()
  for (let count = 0; count < 250; count += 1) load.begin('read')
  // What services() of this process is; a route asks for these of it.
  Reflect.set(globalThis, Symbol.for('intag.services'), {
    feed: {},
    lifecycle: { isComing: () => false },
    env: { mode: 'connected', auth },
    logger: createLogger({ logLevel: 'info' }, { write: () => {} }),
    viewers: { find: async () => viewer },
    sessions: { use: () => {} },
    load,
    now: Date.now,
  })
  const set = await renewedSessionCookie({ userId: 'u1', id: 's1' }, { auth })
  const cookie = set.slice(0, set.indexOf(';'))
  headers = { cookie, origin: auth.url, 'content-type': 'application/json' }
})
afterAll(() => Reflect.deleteProperty(globalThis, Symbol.for('intag.services')))

test.each([
  ['the numbers of a list', countList, 503],
  ['who is here', showPresence, 503],
  ['the preview of a file', previewExport, 503],
  ['a decision', changeTriage, 400],
])('when no reader is let in, only what decides is looked at: %s', async (_, answer, status) => {
  const request = new Request('https://intag.test/api/things', { method: 'POST', body: '{}', headers })
  expect((await answer(request, { params: Promise.resolve({}) })).status).toBe(status)
})
