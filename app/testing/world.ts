import { GET as getContact } from '@/app/api/contacts/[id]/route'
import { GET as listDeclarations } from '@/app/api/declarations-of-interest/route'
import { POST as addNote } from '@/app/api/notes/route'
import { POST as addView } from '@/app/api/views/route'
import type { Lead } from '@/lib/contract/lead'
import { services } from '@/server/services'
import { inRequest } from './in-request'
import type { World } from './route-table'

type Handler = (request: Request, context: { params: Promise<unknown> }) => Promise<Response>

/** A lead of this school whose sender wrote to no other, and its staff, who write notes and keep views. */
export async function findWorld(staffCookie: string, adminCookie: string, school: string): Promise<World> {
  const send = async <T>(handler: Handler, url: string, { cookie, body, params = {} }: Sent): Promise<T> => {
    const origin = services().env.auth.url
    const headers = { cookie, origin, 'content-type': 'application/json' }
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const request = new Request(`${origin}${url}`, { headers, ...init })
    const answer = await inRequest(request, () => handler(request, { params: Promise.resolve(params) }))
    if (!answer.ok) throw new Error(`${url} was answered with ${answer.status}`)
    return (await answer.json()) as T
  }
  const url = `/api/declarations-of-interest?${new URLSearchParams({ school, limit: '100' })}`
  type List = { declarationsOfInterest: (Lead & { contactId: string })[] }
  const { declarationsOfInterest: leads } = await send<List>(listDeclarations, url, { cookie: staffCookie })
  const made = async (handler: Handler, at: string, body: unknown) =>
    (await send<{ id: string }>(handler, at, { cookie: staffCookie, body })).id
  for (const { id, contactId } of leads) {
    const params = { id: contactId }
    const its = await send<unknown>(getContact, `/api/contacts/${contactId}`, { cookie: adminCookie, params })
    const schools = JSON.stringify(its).matchAll(/"highSchoolId":"([^"]+)"/g)
    if (!Array.from(schools, ([, each]) => each).every((each) => each === school)) continue
    const lead = { kind: 'declaration-of-interest', id } as const
    const view = { list: 'declarations-of-interest', name: 'Mina', query: {}, shared: false }
    return {
      lead,
      school,
      contact: contactId,
      note: () => made(addNote, '/api/notes', { ...lead, text: 'Ringde' }),
      privateView: () => made(addView, '/api/views', view),
    }
  }
  throw new Error('every sender wrote to several schools')
}

type Sent = { cookie: string; body?: unknown; params?: Record<string, string> }
