import { userAgent } from 'next/server'
import { UNKNOWN_DEVICE } from '@/lib/contract/limits'
import { NotFoundError } from '@/server/base/errors'
import type { Services } from '@/server/base/services'
import { executeAccessCommand } from './command'
import type { Session } from './session-cookie'
import type { Viewer } from './viewer'

type CallContext = { session: Session }

export async function listOwnSessions({ sessions }: Services, viewer: Viewer, _input: unknown, call: CallContext) {
  const rows = await sessions.list(viewer.id)
  const ownSessions = rows.map(({ id, method, device, address, createdAt, lastUsedAt }) => {
    const times = { createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt.toISOString() }
    return { id, method, device, address, ...times, current: id === call.session.id }
  })
  return { sessions: ownSessions }
}

export function describeDevice(headers: Headers) {
  const { browser, os } = userAgent({ headers })
  return [browser.name, os.name].filter(Boolean).join(', ').slice(0, 60) || UNKNOWN_DEVICE
}

export async function signOut(services: Services, viewer: Viewer, { id }: Session) {
  await executeAccessCommand(services, viewer, 'signed-in', viewer.id, async (tx, log) => {
    await services.sessions.end(tx, viewer.id, id, 'person')
    await log({ action: 'sign-out' })
  })
}

export async function endOwnSession(services: Services, viewer: Viewer, { id }: { id: string }) {
  await executeAccessCommand(services, viewer, 'signed-in', viewer.id, async (tx, log) => {
    if (!(await services.sessions.end(tx, viewer.id, id, 'person'))) throw new NotFoundError()
    await log({ action: 'sessions-ended', details: { user: viewer.id, count: 1 } })
  })
}

export function endOtherSessions(services: Services, viewer: Viewer, _input: unknown, { session }: CallContext) {
  return executeAccessCommand(services, viewer, 'signed-in', viewer.id, async (tx, log) => {
    const ended = await services.sessions.endAll(tx, viewer.id, 'person', session.id)
    await log({ action: 'sessions-ended', details: { user: viewer.id, count: ended } })
    return { ended }
  })
}
